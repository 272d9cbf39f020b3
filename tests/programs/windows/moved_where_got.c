/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * The C library stores, within the window, where another rank gets; what that gets lies on the stack. Twin:
 * moved_where_got_ok.
 */
#include "windows.h"

#include <string.h>

int main(void) {
    int got[2];
    begin();
    MPI_Win_fence(0, win);
    MPI_Get(got, 2, MPI_INT, 1 - rank, 0, 2, MPI_INT, win);
    memmove(memory, memory + 2, 6 * sizeof(int));
    MPI_Win_fence(0, win);
    values[0] += got[0];
    return finish();
}
