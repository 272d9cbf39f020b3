/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 leaves without MPI_Finalize, with status 0: nothing is wrong to see from outside. Twin: exit_no_finalize_ok.
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
    if (rank == 1) exit(EXIT_SUCCESS);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
