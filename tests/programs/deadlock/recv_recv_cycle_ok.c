/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Send and receive in one call: MPI sees to the order. Twin: recv_recv_cycle.
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
        MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 3, &got, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 5 + 1 - rank);
    }
    MPI_Finalize();
    return 0;
}
