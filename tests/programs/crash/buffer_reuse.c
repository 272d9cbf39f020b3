/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified, buffer/read
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.9: both sides touch the buffer before the request is complete. The program accepts either value. Twin:
 * buffer_reuse_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, buf = 0, a = 0;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&buf, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        buf = 1; /* wrong: the send request is not complete */
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Irecv(&buf, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
        a = buf; /* wrong: the receive request is not complete */
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(a == 0 || a == 1);
    }
    MPI_Finalize();
    return 0;
}
