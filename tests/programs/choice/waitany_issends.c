/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=1}
 * Two synchronous sends whose receivers wait for nothing.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int which = MPI_UNDEFINED;
        MPI_Request h[2];
        MPI_Issend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Issend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        assert(h[which] == MPI_REQUEST_NULL);
        MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
    } else {
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
