/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: broadcast_before_flush.c:@
 * A broadcast in a part of the ranks comes between two accesses, but the first is flushed only after it. Twin:
 * broadcast_before_flush_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, rank != 0, 0, &others);
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*@*/
    MPI_Bcast(results, 1, MPI_INT, 0, others);
    if (rank == 1) meet(2);
    if (rank == 2) {
        MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        meet(1);
    }
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&others);
    return finish();
}
