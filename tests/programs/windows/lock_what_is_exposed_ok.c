/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 * The twin of lock_what_is_exposed.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Group_free(&peer);
    return finish();
}
