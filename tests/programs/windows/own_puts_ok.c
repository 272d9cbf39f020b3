/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As own_puts, with a flush.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
