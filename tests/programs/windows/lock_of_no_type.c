/* DAMPI-TEST
 *   np: 2
 *   expect: argument/lock
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_of_no_type.c:@
 * A lock is of no type. Twin: lock_of_no_type_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (MPI_Win_lock(0, 1 - rank, 0, win) == MPI_SUCCESS) { /*@*/
        MPI_Win_unlock(1 - rank, win);
    }
    return finish();
}
