/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Order that clocks do not see: rank 2 waits until a number appears in its own memory, and then puts what rank 1 has
 * put before. No race may be reported.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(values, 1, MPI_INT, 2, 4, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
    }
    if (rank == 2) {
        while (*(volatile int*)&memory[4] == 0) MPI_Win_sync(win);
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
