/* Rank 0 puts into the exposed memory of rank 1, which puts from there into that of rank 2: other bytes meanwhile, and
 * the same ones when its exposure is over, or with WRONG before. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group before = group_of(rank == 2 ? 1 : 0), behind = group_of(rank == 0 ? 1 : 2);
    if (rank == 0) {
        MPI_Win_start(behind, 0, win);
        MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (rank == 1) {
        MPI_Win_post(before, 0, win);
        MPI_Win_start(behind, 0, win);
        MPI_Put(memory + (WRONG ? 1 : 2), 2, MPI_INT, 2, 0, 2, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        MPI_Win_start(behind, 0, win);
        MPI_Put(memory, 2, MPI_INT, 2, 4, 2, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Win_post(before, 0, win);
            MPI_Win_wait(win);
        }
    }
    MPI_Group_free(&before);
    MPI_Group_free(&behind);
    return finish();
}
