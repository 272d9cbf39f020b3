/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * As scattered_conflict, but all get them; and each rank puts every third number, in single calls.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static int got[3000];
    int rank;
    _Alignas(16) int memory[4096] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3000; i++) MPI_Get(got + i, 1, MPI_INT, 0, i * (i + 1) / 2 % 4096, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = rank; i < 4096; i += 3) MPI_Put(&rank, 1, MPI_INT, 0, i, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
