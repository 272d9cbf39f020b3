/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: put_put_locked.c:@
 * Two ranks put the same number while both hold a shared lock. Twin: put_put_locked_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*@*/
        meet(2);
    }
    if (rank == 2) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        meet(1);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
