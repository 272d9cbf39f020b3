/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As unflushed_put, but the first waits; and what it does not wait for nobody else puts.
 */
#include <assert.h>
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
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(rank != 0 || memory[0] == 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
