/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Rput
 *   interleavings: 1
 *   outcomes: {}
 * The twin of request_between_fences.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Request request;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Rput(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_unlock(1, win);
    }
    return finish();
}
