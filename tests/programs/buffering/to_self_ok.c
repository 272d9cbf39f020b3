/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 3 (one with each mode)
 *   options: --buffering all
 * The correct twin of to_self: the receive is there before the send.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, in = -1, again = -1;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&again, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(in == 0 && again == 0);
    MPI_Finalize();
    return 0;
}
