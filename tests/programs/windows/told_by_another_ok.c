/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 * What is put is complete when a flag is put into a third rank's memory, which waits for it with MPI_Win_sync and tells
 * the owner.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 1, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Put(values, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
    } else if (rank == 1) {
        MPI_Recv(results, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        results[1] = memory[1];
    } else {
        int flag;
        while (MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_Win_sync(win),
               ((volatile int*)memory)[0] == 0) {}
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
