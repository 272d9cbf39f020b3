/* Numbers are put and got between fences, and others beside them are counted meanwhile. With WRONG 1 one that is put is
 * set, with WRONG 2 one that is got, which is wrong. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Get(results, 2, MPI_INT, 1, 6, 2, MPI_INT, win);
        values[5]++;
        results[5]++;
        if (WRONG == 1) values[3] = 9;
        if (WRONG == 2) results[0] = 9;
    }
    MPI_Win_fence(0, win);
    values[3] = results[0] = 9;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(values, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
        values[0]++;
        MPI_Win_unlock(1, win);
    }
    return finish();
}
