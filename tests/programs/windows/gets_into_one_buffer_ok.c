/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * As gets_into_one_buffer, side by side.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(results, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Get(results + 2, 2, MPI_INT, 1, 2, 2, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
