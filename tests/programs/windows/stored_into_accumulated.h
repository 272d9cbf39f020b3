/* A number is added to that of another rank under a lock; with WRONG it is changed too early. */
#include "windows.h"

int main(void) {
    begin();
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Accumulate(values, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win);
        /* One line, since either may be the place: where pages are closed in all runs, the store is. */
        (void)(WRONG && (values[1] = 7)), MPI_Win_flush_local(1, win);
        values[1] = 8;
        MPI_Win_unlock(1, win);
    }
    return finish();
}
