/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock, incomplete
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_held_in_receive.c:@
 * A rank holds a lock while it waits for a message of one that wants to lock all. Twin: lock_held_in_receive_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        meet(1);
        MPI_Recv(results, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
        MPI_Win_unlock(1, win);
    } else {
        meet(0);
        MPI_Win_lock_all(0, win);
        MPI_Win_unlock_all(win);
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
