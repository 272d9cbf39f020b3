/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: own_put_accumulate.c:@
 * A rank puts a number and adds to it before the put is complete. Twin: own_put_accumulate_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
        MPI_Accumulate(values, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
