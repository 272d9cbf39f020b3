/* DAMPI-TEST
 *   np: 2
 *   expect: argument/communicator
 *   findings: 1
 *   interleavings: 1
 *   outcomes: {}
 *   where: unmade_communicator.c:@
 * A collective on a duplicate that is not made yet, as far as the program knows. Twin: unmade_communicator_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Comm twin;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &request);
    MPI_Barrier(twin); /*@*/
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
