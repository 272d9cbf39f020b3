/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of put_from_what_is_put.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(values, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(results, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(results, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(memory, 4, MPI_INT, 2, 0, 4, MPI_INT, win);
        MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    return finish();
}
