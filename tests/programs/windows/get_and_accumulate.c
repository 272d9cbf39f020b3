/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: get_and_accumulate.c:@
 * One rank gets a number while another one adds to it: only fetching would be atomic. Twin: get_and_accumulate_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Get(results, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /*@*/
    if (rank == 2) MPI_Accumulate(values, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    return finish();
}
