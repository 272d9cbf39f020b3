/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Rank 0 has nothing to free, rank 1 frees its part. Twin: leak_communicator_split.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    int size;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &part);
    if (rank == 0)
        assert(part == MPI_COMM_NULL);
    else {
        MPI_Comm_size(part, &size);
        assert(size == 1);
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return 0;
}
