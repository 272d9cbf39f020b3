/* A rank puts into its own window, and uses what is there; with WRONG before the fence. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    MPI_Put(values, 2, MPI_INT, rank, 2, 2, MPI_INT, win);
    if (!WRONG) MPI_Win_fence(0, win);
    values[5] = memory[3];
    if (WRONG) MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return finish();
}
