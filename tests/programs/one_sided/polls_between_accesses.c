/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 0.5
 *   expect: incomplete
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 * Programs probe for nothing to have the library make progress. Between the probes each rank adds to the same number,
 * so this is no livelock, though no message is sent for longer than the limit.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, flag = 0, one = 1, sum = 0;
    _Alignas(16) int memory = 0;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 150; i++) {
        for (int probe = 0; probe < 200; probe++) {
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            assert(!flag);
        }
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&sum, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        assert(sum == 300);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
