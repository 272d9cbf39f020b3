/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Fetch_and_op
 *   interleavings: 1
 *   outcomes: {}
 * Two accesses may read the same buffer.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Fetch_and_op(values, results, MPI_INT, 1, 4, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
