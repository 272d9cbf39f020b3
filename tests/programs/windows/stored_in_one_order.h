/* A rank takes two messages in any order while another one puts into its window; with WRONG it stores there, too, if
 * that of rank 2 comes first. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 0) {
        MPI_Status status;
        for (int i = 0; i < 2; i++) {
            MPI_Recv(results, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (i == 0 && status.MPI_SOURCE == 2) memory[WRONG ? 0 : 1] = 5;
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_fence(0, win);
    return finish();
}
