/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Order that clocks do not see: rank 2 reads through the window that rank 1 has put the data, and puts the same
 * place. No race may be reported.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(values, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_REPLACE, win);
    }
    if (rank == 2) {
        while (results[0] == 0) {
            MPI_Fetch_and_op(NULL, results, MPI_INT, 0, 4, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
