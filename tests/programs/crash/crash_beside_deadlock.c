/* DAMPI-TEST
 *   np: 4
 *   expect: crash, deadlock
 *   interleavings: 1
 *   outcomes: {}
 * Rank 0 crashes, rank 3 waits for it, and ranks 1 and 2 wait for each other, which has nothing to do with it.
 * Both are found, whichever comes first; that rank 3 waits in vain follows from the crash. Twin:
 * crash_beside_deadlock_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        *(volatile int*)NULL = 1;
        MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 3 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
