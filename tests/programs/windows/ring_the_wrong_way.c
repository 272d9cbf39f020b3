/* DAMPI-TEST
 *   np: 4
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Each rank puts to the right and tells the left. Twin:
 * ring_the_wrong_way_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win_lock_all(0, win);
    MPI_Put(values, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_flush(right, win);
    MPI_Sendrecv(&rank, 1, MPI_INT, left, 0, results + 1, 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    results[0] = memory[0];
    MPI_Win_unlock_all(win);
    return finish();
}
