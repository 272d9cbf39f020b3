/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: fence_mismatch.c:@
 * Rank 1 frees the window where the other one fences. Twin: fence_mismatch_ok.
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
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Win_fence(0, win); /*@*/
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
