/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: exit_nonzero.c:@
 * Rank 1 finalizes properly and then returns 3. Twin: exit_nonzero_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(sum == 1);
    MPI_Finalize();
    return rank == 1 ? 3 : EXIT_SUCCESS; /*@*/
}
