/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 * Correct twin of mismatch_goes_on.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int given[10] = {0}, sums[10];
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Allreduce(given, sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(given, sums, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
