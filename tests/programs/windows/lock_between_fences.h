/* Rank 0 puts between two fences. Rank 2, to which it sends a message, locks the same rank's memory behind the second
 * fence, or with WRONG before it. */
#include "windows.h"

static void get_locked(void) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Get(results, 1, MPI_INT, 1, 7, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

int main(void) {
    begin();
    for (int i = 0; i < 2; i++) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        if (rank == 0) {
            MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Send(values, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        } else if (rank == 2) {
            MPI_Recv(results, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (WRONG && i == 1) {
                get_locked();
            }
        }
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        if (rank == 2) {
            get_locked();
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return finish();
}
