/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The same collective, called from different lines. Twin: mismatch_operation.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    assert(sum == 4);
    MPI_Finalize();
    return 0;
}
