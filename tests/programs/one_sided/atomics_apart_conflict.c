/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * As atomics_apart, but one rank replaces both numbers, of which the other fetches the second.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, seen = -1, both[2] = {5, 5};
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) MPI_Accumulate(both, 2, MPI_INT, 0, 1, 2, MPI_INT, MPI_REPLACE, win);
    if (rank == 2) {
        MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 2, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        assert(seen == 0 || seen == 5);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
