/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 *   where: start_before_post.c:@
 * A rank starts, and says that the other one has posted, which it does only later. Twin: start_before_post_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        MPI_Win_start(peer, MPI_MODE_NOCHECK, win); /*@*/
        MPI_Win_complete(win);
        meet(1);
    } else {
        meet(0);
        MPI_Win_post(peer, MPI_MODE_NOCHECK, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
