/* DAMPI-TEST
 *   np: 2
 *   expect: argument/operator
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: maxloc_of_numbers.c:@
 * An operator for pairs is used for numbers. Twin: maxloc_of_numbers_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Accumulate(values, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_MAXLOC, win); /*@*/
    }
    MPI_Win_fence(0, win);
    return finish();
}
