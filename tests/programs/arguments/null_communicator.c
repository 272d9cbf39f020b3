/* DAMPI-TEST
 *   np: 2
 *   expect: argument/communicator
 *   interleavings: 1
 *   where: null_communicator.c:@
 * MPI ends the program in a function that the layer only passes through.
 */
#include <mpi.h>
#include <stddef.h>

static int size_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size); /*@*/
    return size;
}

int main(void) {
    int rank;
    MPI_Comm half;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &half);
    const int size = size_of(half);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return size != 1;
}
