/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As broadcast_before_flush, but flushed before: the broadcast orders the accesses.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, rank != 0, 0, &others);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
    }
    MPI_Bcast(results, 1, MPI_INT, 0, others);
    if (rank == 2) MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&others);
    return finish();
}
