/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: fence_without_puts.c:@
 * The target says at its fence that nobody will write into its memory, and another rank does. Twin:
 * fence_without_puts_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT : 0, win);
    if (rank == 0) MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
    MPI_Win_fence(0, win);
    return finish();
}
