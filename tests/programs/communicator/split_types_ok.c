/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * One rank stands aside, the others agree. Twin: split_types.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size;
    MPI_Comm part;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int type = rank == 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);
    assert((part == MPI_COMM_NULL) == (rank == 2));
    if (part != MPI_COMM_NULL) {
        MPI_Comm_size(part, &size);
        assert(size == 2);
        MPI_Comm_free(&part);
    }
    MPI_Finalize();
    return 0;
}
