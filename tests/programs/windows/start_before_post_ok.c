/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 * The twin of start_before_post.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        meet(1);
        MPI_Win_start(peer, MPI_MODE_NOCHECK, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, MPI_MODE_NOCHECK, win);
        meet(0);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
