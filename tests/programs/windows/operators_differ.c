/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: operators_differ.c:@
 * One rank adds to a number between fences while another one fetches and multiplies it. Twin: operators_differ_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Accumulate(values, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /*@*/
    if (rank == 2) MPI_Fetch_and_op(values, results, MPI_INT, 0, 0, MPI_PROD, win);
    MPI_Win_fence(0, win);
    return finish();
}
