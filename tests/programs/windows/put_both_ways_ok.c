/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of put_both_ways.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Put(values, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    values[7] = memory[0];
    MPI_Win_unlock_all(win);
    return finish();
}
