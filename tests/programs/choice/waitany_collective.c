/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=1}
 * A nonblocking barrier and a receive. Rank 1 sends behind its barrier; rank 0 may be told in either order.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, which = MPI_UNDEFINED;
    MPI_Request h[2];
    MPI_Ibarrier(MPI_COMM_WORLD, &h[0]);
    if (rank == 0) {
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
