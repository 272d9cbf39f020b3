/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering zero
 * Figure 2.5 with messages that the library buffers: both ranks send before they receive. Natively that ends; the
 * standard does not promise it. Twins: head_to_head_small_native, head_to_head_small_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, in = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(in == 1 - rank);
    MPI_Finalize();
    return 0;
}
