/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of beyond_window.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 3, MPI_INT, 1, 5, 3, MPI_INT, win);
    MPI_Win_fence(0, win);
    return finish();
}
