/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * Both ranks receive before they send: no buffering can help. Twin: recv_recv_cycle_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, mine, got = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 5 + rank;
    if (rank < 2) {
        MPI_Recv(&got, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
        assert(got == 5 + 1 - rank);
    }
    MPI_Finalize();
    return 0;
}
