/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: barrier_before_flush.c:@
 * A barrier between two accesses orders nothing if the first is flushed after it. Twin: barrier_before_flush_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*@*/
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Win_flush(0, win);
    if (rank == 2) MPI_Get(results, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    return finish();
}
