/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: element_types_differ.c:@
 * Two ranks accumulate with the same operator, but one takes the number for a real one. Twin:
 * element_types_differ_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Accumulate(values, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAX, win); /*@*/
    if (rank == 2) MPI_Accumulate(values, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_MAX, win);
    MPI_Win_fence(0, win);
    return finish();
}
