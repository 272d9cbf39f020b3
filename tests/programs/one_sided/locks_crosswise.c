/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock, incomplete
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: locks_crosswise.c:@
 * Two ranks lock their own memory, then that of each other. Twin: locks_crosswise_ok.
 */
#include <mpi.h>
#include <stddef.h>
int main(void) {
    int rank, value = 0;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win); /*@*/
        MPI_Win_unlock(1 - rank, win);
        MPI_Win_unlock(rank, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
