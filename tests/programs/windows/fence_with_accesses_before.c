/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: fence_with_accesses_before.c:@
 * A fence says that there was no access before it, and there was. Twin: fence_with_accesses_before_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win); /*@*/
    MPI_Win_fence(0, win);
    return finish();
}
