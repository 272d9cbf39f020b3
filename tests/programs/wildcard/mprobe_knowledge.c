/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-2}
 * Rank 1's synchronous send completes when MPI_Mrecv begins, behind the wildcard receive: so that cannot get the
 * message which rank 1 sends behind it.
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
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, w, MPI_STATUS_IGNORE);
        MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, w, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Ssend(&word, 1, MPI_INT, 0, 0, w);
        MPI_Send(&word, 1, MPI_INT, 0, 1, w);
    } else {
        MPI_Send(&word, 1, MPI_INT, 0, 1, w);
    }
    MPI_Finalize();
    return 0;
}
