/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {0#0=0 0#1=0} {0#0=0 0#1=1} {0#0=1 0#1=0} {0#0=1 0#1=1}
 * A receive from MPI_PROC_NULL is complete at once, but may be reported last; then the same with persistent requests.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[2] = {7, 0}, which = MPI_UNDEFINED;
        MPI_Request h[2];
        MPI_Irecv(&got[0], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
        assert(got[0] == 7 && got[1] == 1 && h[0] == MPI_REQUEST_NULL && h[1] == MPI_REQUEST_NULL);
        MPI_Send_init(&got[0], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Recv_init(&got[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE); /* none is active */
        assert(which == MPI_UNDEFINED);
        MPI_Startall(2, h);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
        MPI_Request_free(&h[0]);
        MPI_Request_free(&h[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
