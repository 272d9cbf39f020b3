/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * As put_conflict, but every rank has numbers of its own in everybody's memory; and the same number is put by several,
 * one between these fences, one between the next. Each rank counts in units of its own.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static const int units[3] = {sizeof(int), 1, 2}, places[3][3] = {{0, 1, 2}, {0, 4, 8}, {0, 2, 4}};
    int rank;
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, units[rank], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++) MPI_Put(&rank, 1, MPI_INT, i, places[i][rank], 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; i++) assert(memory[i] == i);
    for (int turn = 0; turn < 3; turn++) {
        if (turn == rank) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        assert(rank != 0 || memory[0] == turn);
        MPI_Win_fence(0, win); /* or the next put could come while rank 0 looks */
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
