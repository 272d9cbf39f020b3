/* DAMPI-TEST
 *   np: 2
 *   expect: argument/synchronization
 *   findings: 1
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_what_is_exposed.c:@
 * A rank locks its own memory while it is exposed to another one. Twin: lock_what_is_exposed_ok.
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
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /*@*/
        MPI_Win_unlock(1, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
