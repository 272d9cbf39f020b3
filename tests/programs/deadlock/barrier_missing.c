/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 skips the barrier in which the others wait for it. Twin: barrier_missing_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(sum == 3);
    if (rank != 1) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
