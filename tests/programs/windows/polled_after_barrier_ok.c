/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 * What was put before a barrier is not complete by then; but a flag says when it is, which the owner waits for with
 * MPI_Win_sync.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 1, 4, MPI_INT, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_flush(1, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else {
        int flag;
        MPI_Barrier(MPI_COMM_WORLD);
        while (MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_Win_sync(win),
               ((volatile int*)memory)[0] == 0) {}
        results[0] = memory[1];
    }
    MPI_Win_unlock_all(win);
    return finish();
}
