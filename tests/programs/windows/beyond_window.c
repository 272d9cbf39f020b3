/* DAMPI-TEST
 *   np: 2
 *   expect: argument/displacement
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: beyond_window.c:@
 * A put goes beyond the end of the target's memory; MPICH writes there. Twin: beyond_window_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 3, MPI_INT, 1, 6, 3, MPI_INT, win); /*@*/
    MPI_Win_fence(0, win);
    return finish();
}
