/* DAMPI-TEST
 *   np: 2
 *   expect: leak/request
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_recv_request.c:@
 * A receive request that nobody ever completes. Twin: leak_recv_request_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = 0;
    MPI_Request h;
    if (rank == 1) {
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h); /*@*/
        assert(h != MPI_REQUEST_NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    assert(rank == 1 || got == 0); /* there it is MPI's */
    MPI_Finalize();
    return 0;
}
