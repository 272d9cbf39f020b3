/* Rank 1 is told that something was added to its memory, and clears it; with WRONG it is told too early. */
#include "windows.h"

int main(void) {
    int word = 0;
    begin();
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(values, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
        if (!WRONG) MPI_Win_flush(1, win);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ((volatile int*)memory)[0] = 0;
    }
    MPI_Win_unlock_all(win);
    return finish();
}
