/* A counter in rank 1's memory is raised, and then read by its owner; with WRONG the access is never flushed before. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) MPI_Fetch_and_op(values, results, MPI_INT, 1, 0, MPI_SUM, win);
    if (rank == 0 && !WRONG) MPI_Win_flush(1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) results[0] = ((volatile int*)memory)[0];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    return finish();
}
