/* Numbers are got between fences; with WRONG they are used before the second one. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(results, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
        values[0] = results[WRONG ? 1 : 2];
    }
    MPI_Win_fence(0, win);
    values[0] += results[1];
    return finish();
}
