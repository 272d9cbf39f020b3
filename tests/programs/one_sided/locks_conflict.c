/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks lock the memory of a third exclusively at the same time: what they read depends on who comes first, which
 * is not explored. Twin: locks_in_order.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, seen = -1;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank != 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        assert(seen == 0 || seen == 3 - rank);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
