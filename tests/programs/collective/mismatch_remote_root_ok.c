/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Collectives across an intercommunicator between groups of different sizes, each direction with its own amount.
 * Twin: mismatch_remote_root.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, sum = 0, values[6] = {1, 1, 1, 1, 1, 1}, all[12];
    MPI_Comm half, across;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int low = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 0, &across);
    if (low) {
        if (rank == 1) value = 9;
        MPI_Bcast(&value, rank == 1 ? 1 : 5, MPI_INT, rank == 1 ? MPI_ROOT : MPI_PROC_NULL, across);
        MPI_Allgather(values, 2, MPI_INT, all, 1, MPI_INT, across);
        MPI_Reduce_scatter_block(values, all, 3, MPI_INT, MPI_SUM, across);
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 1, across);
        assert(value == 9);
        MPI_Allgather(values, 1, MPI_INT, all, 2, MPI_INT, across);
        MPI_Reduce_scatter_block(values, all, 2, MPI_INT, MPI_SUM, across);
    }
    value = 1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, across);
    assert(sum == (low ? 3 : 2));
    MPI_Barrier(across);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
