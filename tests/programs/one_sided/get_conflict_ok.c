/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * As get_conflict, but a barrier lies between; all get the same number at the same time; and a rank puts what it has
 * got, or another one does, when it is there.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1;
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush_local(0, win);
    assert(got == 1);
    MPI_Rget(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(got == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win);
        MPI_Rput(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(rank != 0 || memory[0] == 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
