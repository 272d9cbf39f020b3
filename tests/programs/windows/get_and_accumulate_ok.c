/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Many may get at the same time, and many may add.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Get(results, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Accumulate(values, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    return finish();
}
