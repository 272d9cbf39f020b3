/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * As sum_conflict, but all multiply the same number and all add to another one; what one rank does by itself it does in
 * order.
 */
#include <assert.h>
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
    MPI_Accumulate(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_PROD, win);
    MPI_Accumulate(&two, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    if (rank == 1) {
        MPI_Accumulate(&two, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win);
        MPI_Accumulate(&two, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_PROD, win);
    }
    MPI_Win_fence(0, win);
    assert(rank != 0 || (memory[0] == 0 && memory[1] == 6 && memory[2] == 4));
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
