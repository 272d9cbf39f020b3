/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch, exit, incomplete
 *   interleavings: 1
 *   where: mismatch_goes_on.c:@
 * MPICH gets three ranks out of this sum only with messages of the next one: after a mismatch the layer lets the
 * program go on as it does natively, here to its end. Twin: mismatch_goes_on_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, given[10] = {0}, sums[10];
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(given, sums, rank == 0 ? 1 : 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@*/
    MPI_Allreduce(given, sums, rank == 0 ? 10 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return rank == 3 ? 5 : 0;
}
