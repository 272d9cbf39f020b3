/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks put into each other's memory and load from their own, with nothing in between. Twin:
 * put_both_ways_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    MPI_Put(values, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(1 - rank, win);
    values[7] = memory[0];
    MPI_Win_unlock_all(win);
    return finish();
}
