/* Rank 0 reads in rank 1's memory, and says so to rank 2, which puts something there; with WRONG it says so too early.
 */
#include "windows.h"

int main(void) {
    int word = 0;
    begin();
    MPI_Request request;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Rget(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        if (!WRONG) MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        if (WRONG) MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(1, win);
    } else if (rank == 2) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
