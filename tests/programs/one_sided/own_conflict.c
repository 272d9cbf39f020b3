/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * A rank puts a number and gets it before the put has ended. Twin: get_conflict_ok.
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
    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
