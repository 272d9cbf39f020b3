/* A window whose memory a rank says not to have stored into since it last synchronised. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    memory[0] = 1;
    MPI_Win_fence(MPI_MODE_NOSTORE, win); /* nothing was synchronised before */
    if (WRONG == 1) memory[0] += rank;
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
    memory[1] = 2;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Win_unlock(rank, win);
    if (WRONG == 2 && rank == 1) memory[2] = 3;
    if (rank == 1) {
        MPI_Win_post(peer, MPI_MODE_NOSTORE, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(peer, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
