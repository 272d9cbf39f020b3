/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * As matched_probe_ssend, while rank 2 polls for a message that never comes: ranks 0 and 1 are stuck whatever it does.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Comm w = MPI_COMM_WORLD;
    int word = 0;
    MPI_Message message;
    if (rank == 0) {
        MPI_Mprobe(1, 0, w, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, w, MPI_STATUS_IGNORE);
        MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Ssend(&word, 1, MPI_INT, 0, 0, w);
        MPI_Send(&word, 1, MPI_INT, 0, 1, w);
        MPI_Send(&word, 1, MPI_INT, 2, 0, w);
    } else {
        for (int flag = 0; !flag;) MPI_Iprobe(1, 0, w, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 1, 0, w, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
