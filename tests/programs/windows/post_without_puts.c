/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: post_without_puts.c:@
 * The target says when it exposes its memory that nobody will write there, and another rank does. Twin:
 * post_without_puts_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, MPI_MODE_NOPUT, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
