/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * What may be asked when MPI has been finalized. Twin of call_after_finalize.
 */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int size, finalized;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Finalize();
    MPI_Finalized(&finalized);
    return finalized ? EXIT_SUCCESS : EXIT_FAILURE;
}
