/* DAMPI-TEST
 *   np: 3
 *   expect: argument/synchronization
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: flush_of_another.c:@
 * A rank has locked one rank's memory and flushes its accesses to another's. Twin: flush_of_another_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win); /*@*/
        MPI_Win_unlock(1, win);
    }
    return finish();
}
