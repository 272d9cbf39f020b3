/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Comm_attach_buffer
 *   interleavings: 1
 *   outcomes: {}
 * A communicator with a buffer of its own for MPI_Bsend is not followed, and neither is how much room that has.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, got = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int size = 4 * (MPI_BSEND_OVERHEAD + (int)sizeof rank);
        void *buffer = malloc((size_t)size), *detached;
        MPI_Comm_attach_buffer(MPI_COMM_WORLD, buffer, size);
        MPI_Bsend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Comm_flush_buffer(MPI_COMM_WORLD);
        MPI_Comm_detach_buffer(MPI_COMM_WORLD, &detached, &size);
        assert(detached == buffer);
        free(buffer);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 0);
    }
    MPI_Finalize();
    return 0;
}
