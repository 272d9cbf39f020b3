/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: synchronised_without_flush.c:@
 * A rank loads what was put before a barrier, with MPI_Win_sync; but nothing has completed the put. Twin:
 * synchronised_without_flush_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    if (rank == 1) {
        values[7] = memory[0];
    }
    MPI_Win_unlock_all(win);
    return finish();
}
