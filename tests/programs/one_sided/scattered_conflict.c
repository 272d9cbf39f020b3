/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A rank puts more single numbers, at irregular places, than are remembered; then another one puts one of the first.
 * Only a span is known of these by then, so this is a doubt and no race. Twin: scattered_conflict_ok.
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
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) {
        int sender;
        MPI_Recv(&sender, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&rank, 1, MPI_INT, 0, 10, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
