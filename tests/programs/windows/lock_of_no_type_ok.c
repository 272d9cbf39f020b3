/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The twin of lock_of_no_type.
 */
#include "windows.h"

int main(void) {
    begin();
    if (MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win) == MPI_SUCCESS) {
        MPI_Win_unlock(1 - rank, win);
    }
    return finish();
}
