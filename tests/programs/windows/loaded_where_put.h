/* A rank reads its window while another one puts something there; with WRONG the same number. */
#include "windows.h"

int main(void) {
    volatile int sum = 0;
    begin();
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
    for (int i = WRONG ? 0 : 2; i < 8; i++) sum += memory[i];
    MPI_Win_fence(0, win);
    for (int i = 0; i < 8; i++) sum += memory[i];
    return finish();
}
