/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Accesses that fetch and replace, at the same time, but to other bytes of the same memory, or to none: in no order
 * does any of them come to something else. Twin: atomics_apart_conflict.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, seen = -1, all[2] = {-1, -1};
    _Alignas(16) int memory[8] = {0};
    MPI_Win win;
    MPI_Datatype nothing;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank > 0) {
        MPI_Fetch_and_op(&rank, &seen, MPI_INT, 0, rank, MPI_SUM, win);
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 2 + rank, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Get_accumulate(NULL, 0, MPI_INT, &all[0], 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_NO_OP, win);
        MPI_Accumulate(&rank, 0, MPI_INT, 0, 7, 0, MPI_INT, MPI_REPLACE, win);
        MPI_Accumulate(&rank, 1, nothing, 0, 7, 1, nothing, MPI_REPLACE, win);
        MPI_Put(&rank, 0, MPI_INT, 0, 7, 0, MPI_INT, win);
        MPI_Win_flush(0, win);
        assert(seen == 0 && all[0] == 0);
    }
    MPI_Win_unlock_all(win);
    MPI_Type_free(&nothing);
    MPI_Win_free(&win);
    assert(rank != 0 || (memory[1] == 1 && memory[2] == 2 && memory[3] == 1 && memory[4] == 2 && memory[7] == 0));
    MPI_Finalize();
    return 0;
}
