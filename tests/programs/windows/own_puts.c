/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: own_puts.c:@
 * A rank puts the same number twice without a flush between: which is there then is left to chance. Twin:
 * own_puts_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /*@*/
        MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
