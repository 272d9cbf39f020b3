/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A rank puts a number, then there is a barrier, then another rank puts it: but the first has not waited for its access
 * to end. Twin: unflushed_put_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 1) MPI_Win_flush_local(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
