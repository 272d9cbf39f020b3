/* Accesses with requests; the request of the first is completed, unless WRONG is 1. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Request request, sum;
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rput(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        MPI_Raccumulate(values, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_SUM, win, &sum);
        if (!WRONG) MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
        MPI_Win_flush(1, win);
        MPI_Rget(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &sum);
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
