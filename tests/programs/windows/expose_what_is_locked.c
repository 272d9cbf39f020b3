/* DAMPI-TEST
 *   np: 2
 *   expect: argument/synchronization
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 *   where: expose_what_is_locked.c:@
 * A rank exposes memory that another one has locked. Twin: expose_what_is_locked_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(results, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(1, win);
        MPI_Win_start(peer, 0, win);
        MPI_Win_complete(win);
    } else {
        MPI_Recv(results, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_post(peer, 0, win); /*@*/
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
