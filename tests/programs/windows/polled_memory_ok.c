/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 * A rank looks at its window again and again until something has been put there, with MPI_Win_sync, as the standard has
 * it.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 1, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else {
        int flag;
        while (MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPI_Win_sync(win),
               ((volatile int*)memory)[0] == 0) {}
        results[0] = memory[1];
    }
    MPI_Win_unlock_all(win);
    return finish();
}
