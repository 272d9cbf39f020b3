/* A rank exposes its window to another one; with WRONG it stores meanwhile where that one puts. */
#include "windows.h"

int main(void) {
    begin();
    for (int i = 0; i < 3; i++) {
        MPI_Group other = group_of(1 - rank);
        if (rank == 0) {
            MPI_Win_start(other, 0, win);
            MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
            MPI_Win_complete(win);
        } else {
            memory[1]++;
            MPI_Win_post(other, 0, win);
            memory[WRONG && i == 1 ? 1 : 5]++;
            MPI_Win_wait(win);
            memory[1]++;
        }
        MPI_Group_free(&other);
    }
    return finish();
}
