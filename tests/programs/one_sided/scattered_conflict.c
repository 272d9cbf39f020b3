/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A rank puts more single numbers, at irregular places, than are remembered; then another one puts one of them. Twin:
 * scattered_conflict_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    _Alignas(16) int memory[4096] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        for (int i = 0; i < 3000; i++) MPI_Put(&rank, 1, MPI_INT, 0, i * (i + 1) / 2 % 4096, 1, MPI_INT, win);
    if (rank == 2) MPI_Put(&rank, 1, MPI_INT, 0, 2999 * 3000 / 2 % 4096, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
