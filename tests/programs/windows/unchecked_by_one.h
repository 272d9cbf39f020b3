/* A rank posts, another one starts; both say that nothing needs to be checked, or one of them. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Group peer = group_of(1 - rank);
    if (rank == 0) {
        meet(1);
        MPI_Win_start(peer, START, win);
        MPI_Win_complete(win);
        MPI_Win_start(peer, 0, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(peer, POST, win);
        meet(0);
        MPI_Win_wait(win);
        MPI_Win_post(peer, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&peer);
    return finish();
}
