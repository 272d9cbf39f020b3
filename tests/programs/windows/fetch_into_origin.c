/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   central: refused MPI_Get_accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: fetch_into_origin.c:@
 * What is fetched goes into the memory that is added. Twin: fetch_into_origin_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Get_accumulate(values, 2, MPI_INT, values + 1, 2, MPI_INT, 1 - rank, 0, 2, MPI_INT, MPI_SUM, win); /*@*/
    MPI_Win_unlock(1 - rank, win);
    return finish();
}
