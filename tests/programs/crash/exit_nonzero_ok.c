/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Every rank returns 0. Twin: exit_nonzero.
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
    return EXIT_SUCCESS;
}
