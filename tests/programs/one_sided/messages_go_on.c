/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Fetch_and_op
 *   interleavings: 1
 *   outcomes: {}
 * As messages_order_accesses, but rank 1 accesses the same bytes again after its message, when rank 2 may do so, too.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, seen = -1, token = 0;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Fetch_and_op(&rank, &seen, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Fetch_and_op(&rank, &seen, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
    } else if (rank == 2) {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Fetch_and_op(&rank, &seen, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        assert(seen == 1 || seen == 2);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
