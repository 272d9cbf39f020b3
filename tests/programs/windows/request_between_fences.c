/* DAMPI-TEST
 *   np: 2
 *   expect: argument/synchronization
 *   central: refused MPI_Rput
 *   interleavings: 1
 *   outcomes: {}
 *   where: request_between_fences.c:@
 * Accesses with a request belong under a lock; this one is between fences. Twin: request_between_fences_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Request request;
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Rput(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /*@*/
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(0, win);
    return finish();
}
