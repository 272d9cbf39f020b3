/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Two ranks put something into the memory of a third between the same fences, and one of the numbers is the same: which
 * of them it is then is left to chance. Twin: put_conflict_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[4] = {1, 2, 3, 4};
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 4, MPI_INT, 0, 0, 4, MPI_INT, win);
    if (rank == 2) MPI_Put(values, 2, MPI_INT, 0, 3, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
