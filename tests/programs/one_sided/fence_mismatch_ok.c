/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The correct twin of fence_mismatch: one fence is without a barrier, but it is called by both.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
