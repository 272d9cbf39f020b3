/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering zero
 * The correct twin of isend_wait: first receive, then wait; and all at once with Waitall, in both orders.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, in[3] = {-1, -1, -1};
    MPI_Request request, both[2];
    MPI_Status statuses[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&in[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int first = 0; first < 2; first++) {
        MPI_Irecv(&in[1 + first], 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &both[first]);
        MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &both[1 - first]);
        MPI_Waitall(2, both, statuses);
    }
    for (int i = 0; i < 3; i++) assert(in[i] == 1 - rank);
    MPI_Finalize();
    return 0;
}
