/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A rank sends from its exposed memory, and stores there, before it tells the other one, which puts there then.
 */
#include "windows.h"

int main(void) {
    begin();
    for (int i = 0; i < 3; i++) {
        MPI_Group other = group_of(1 - rank);
        if (rank == 0) {
            MPI_Recv(results, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(results, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Win_start(other, 0, win);
            MPI_Put(values, 2, MPI_INT, 1, 0, 2, MPI_INT, win);
            MPI_Win_complete(win);
        } else {
            MPI_Win_post(other, 0, win);
            memory[1] = i;
            MPI_Send(memory, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Win_wait(win);
        }
        MPI_Group_free(&other);
    }
    return finish();
}
