/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * All accumulate with the same operator and type.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Accumulate(values, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_MAX, win);
    MPI_Win_fence(0, win);
    return finish();
}
