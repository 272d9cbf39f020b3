/* DAMPI-TEST
 *   np: 2
 *   expect: leak/communicator
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_communicator_split.c:@
 * Only rank 1 gets a communicator from the split, so only rank 1 leaks it. Twin: leak_communicator_split_ok.
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
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &part); /*@*/
    if (rank == 0)
        assert(part == MPI_COMM_NULL);
    else {
        MPI_Comm_size(part, &size);
        assert(size == 1);
    }
    MPI_Finalize();
    return 0;
}
