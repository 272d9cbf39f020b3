/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * One rank puts a number while another one gets it, both with shared locks. Twin: get_conflict_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1;
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank != 0) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 2) MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank != 0) MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
