/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * Ranks 0 and 1 wait for each other while rank 2 computes for ever. Twin: partial_while_computing_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    } else {
        for (volatile long i = 0;; ++i) {}
    }
    MPI_Finalize();
    return 0;
}
