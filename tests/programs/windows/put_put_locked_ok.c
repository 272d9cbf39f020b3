/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As put_put_locked, but each has a number of its own.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        meet(2);
    }
    if (rank == 2) {
        MPI_Put(values, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        meet(1);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
