/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * Ranks 0 and 1 wait for each other, while rank 2 polls for what never comes, and reads its clock: time passes for a
 * long while, and then that is all there is to say.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank = 0, word = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        double latest = 0;
        while (!flag) {
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            latest = MPI_Wtime();
        }
        word = latest > 0;
    } else {
        MPI_Recv(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
