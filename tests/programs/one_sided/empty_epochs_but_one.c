/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As empty_epochs, but the last access has a byte, which both others write while each has the lock.
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
    MPI_Group all, target;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &target);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 0, MPI_INT, 0, 0, 0, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) {
        MPI_Group others;
        MPI_Group_excl(all, 1, (int[]){0}, &others);
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
        MPI_Group_free(&others);
    } else {
        MPI_Win_start(target, 0, win);
        MPI_Put(&rank, 0, MPI_INT, 0, 0, 0, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&rank, 1, MPI_CHAR, 0, 0, 1, MPI_CHAR, win);
        MPI_Sendrecv(&rank, 1, MPI_INT, 3 - rank, 0, &token, 1, MPI_INT, 3 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Win_unlock(0, win);
    }
    assert(seen == -1 && (rank == 0 || token == 3 - rank));
    MPI_Group_free(&target);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
