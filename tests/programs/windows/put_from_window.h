/* Between two fences rank 0 puts what is in its own window, and rank 1 puts something into it: with WRONG 1 to the same
 * place. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(memory, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 0, WRONG ? 0 : 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    return finish();
}
