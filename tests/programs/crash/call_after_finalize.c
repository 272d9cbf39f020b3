/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   where: call_after_finalize.c:@
 * A communicator is asked for its size when MPI has been finalized. Twin: call_after_finalize_ok.
 */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int size;
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    MPI_Comm_size(MPI_COMM_WORLD, &size); /*@*/
    return EXIT_SUCCESS;
}
