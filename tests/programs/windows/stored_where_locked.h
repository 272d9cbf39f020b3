/* A rank puts a number under a lock; with WRONG its owner stores there without one. */
#include "windows.h"

int main(void) {
    begin();
    memory[0] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    } else if (WRONG) {
        memory[0] = 2;
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        memory[0] = 2;
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    results[0] = memory[0];
    return finish();
}
