/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: put_what_is_got.c:@
 * What is being got from one rank is put to another one before it is there. Twin: put_what_is_got_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
        MPI_Put(results, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
