/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Fetch_and_op
 *   interleavings: 1
 *   outcomes: {}
 *   where: fetch_into_put_buffer.c:@
 * An atomic access fetches into the buffer that a put before may still read. Twin: fetch_into_put_buffer_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /*@*/
        MPI_Fetch_and_op(results, values, MPI_INT, 1, 4, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
