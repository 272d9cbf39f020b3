/* DAMPI-TEST
 *   np: 3
 *   expect: argument/synchronization
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: not_locked.c:@
 * A rank has locked one rank's memory and accesses another's. Twin: not_locked_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(values, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /*@*/
        MPI_Win_unlock(1, win);
    }
    return finish();
}
