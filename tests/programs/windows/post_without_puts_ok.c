/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * The twin of post_without_puts.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        MPI_Win_start(peer, 0, win);
        MPI_Get(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, MPI_MODE_NOPUT, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
