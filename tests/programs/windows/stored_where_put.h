/* A rank uses its window while another one puts something there; with WRONG the same number. */
#include "windows.h"

int main(void) {
    begin();
    memory[0] = 1; /* before anybody may put something there */
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
    if (rank == 1) {
        memory[3] += memory[2];
        memory[WRONG ? 1 : 4] = 7;
    }
    MPI_Win_fence(0, win);
    memory[0] += memory[1];
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    memory[0] += memory[1];
    return finish();
}
