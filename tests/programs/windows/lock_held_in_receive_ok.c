/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The twin of lock_held_in_receive.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        meet(1);
        MPI_Win_unlock(1, win);
        MPI_Recv(results, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        meet(0);
        MPI_Win_lock_all(0, win);
        MPI_Win_unlock_all(win);
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
