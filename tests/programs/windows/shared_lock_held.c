/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: windows.h:18
 * Two ranks share a lock, and one of them keeps it until whoever wants it alone has sent a message. Twin:
 * shared_lock_held_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Recv(results, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Win_unlock(0, win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Win_unlock(0, win);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    return finish();
}
