/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: locks_unchecked.c:@
 * Two exclusive locks are said not to need a check, though nothing keeps them apart. Twin: locks_unchecked_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank != 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*@*/
        meet(3 - rank);
        MPI_Win_unlock(0, win);
    }
    return finish();
}
