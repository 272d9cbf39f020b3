/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * One rank adds to a number, another one multiplies it: what comes out depends on the order. Twin: sum_conflict_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, two = 2;
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Accumulate(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, rank == 1 ? MPI_SUM : MPI_PROD, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
