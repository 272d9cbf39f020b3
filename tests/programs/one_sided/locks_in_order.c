/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * As locks_conflict, but a barrier orders the locks; and locks that do not conflict.
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
    for (int turn = 1; turn < 3; turn++) {
        if (turn == rank) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_unlock(0, win);
            assert(seen == rank - 1);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int target = 0; target < 3; target++) {
        MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
        MPI_Get(&seen, 1, MPI_INT, target, 0, 1, MPI_INT, win);
        MPI_Win_unlock(target, win);
        assert(seen == (target == 0 ? 2 : 0));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Accumulate(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_local(1, win);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    assert(seen == 3);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
