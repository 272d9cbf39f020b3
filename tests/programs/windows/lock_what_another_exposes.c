/* DAMPI-TEST
 *   np: 3
 *   expect: argument/synchronization
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_what_another_exposes.c:@
 * A rank locks memory that its owner has exposed. Twin: lock_what_another_exposes_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(rank == 1 ? 2 : 1);
    if (rank == 0) {
        MPI_Recv(results, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /*@*/
        MPI_Win_unlock(1, win);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Win_post(peer, 0, win);
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(results, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(peer, 0, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
