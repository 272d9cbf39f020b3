/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * As put_what_is_got, but waited for. The same buffer may be put twice.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        MPI_Put(results, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Put(results, 1, MPI_INT, 2, 1, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
