/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 * The correct twin of locks_crosswise: each gives one lock back before it takes the other, with a barrier in between.
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
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        MPI_Win_unlock(rank, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
        MPI_Win_unlock(1 - rank, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
