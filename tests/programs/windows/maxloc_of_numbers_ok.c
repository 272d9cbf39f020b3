/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * The twin of maxloc_of_numbers.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(values, 1, MPI_2INT, 1, 0, 1, MPI_2INT, MPI_MAXLOC, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
