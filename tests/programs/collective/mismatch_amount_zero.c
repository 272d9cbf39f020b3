/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 * One rank has nothing to reduce and says so with a count of zero. The others wait for it in the library, or not.
 * Twin: mismatch_amount_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&value, &sum, rank == 2 ? 0 : 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
