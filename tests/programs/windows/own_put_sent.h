/* A rank puts into its own window under a lock, and sends what is there; with WRONG before it is flushed. */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(values, 2, MPI_INT, 0, 2, 2, MPI_INT, win);
        if (!WRONG) MPI_Win_flush(0, win);
        MPI_Send(memory, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_unlock(0, win);
    } else {
        MPI_Recv(results, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
