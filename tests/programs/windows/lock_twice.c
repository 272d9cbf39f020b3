/* DAMPI-TEST
 *   np: 2
 *   expect: argument/synchronization
 *   findings: 1
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_twice.c:@
 * A rank locks the same memory twice. Twin: lock_twice_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /*@*/
        MPI_Win_unlock(1, win);
    }
    return finish();
}
