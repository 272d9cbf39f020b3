/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: gets_into_one_buffer.c:@
 * Two gets fill the same buffer before the first is complete. Twin: gets_into_one_buffer_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(results, 2, MPI_INT, 1, 0, 2, MPI_INT, win); /*@*/
        MPI_Get(results + 1, 2, MPI_INT, 1, 2, 2, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
