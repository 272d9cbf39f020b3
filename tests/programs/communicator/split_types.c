/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   central: refused MPI_Comm_split_type
 *   interleavings: 1
 *   outcomes: {}
 *   where: split_types.c:@
 * The ranks do not agree by what the communicator is to be split. Twin: split_types_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm part;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int type = rank == 2 ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part); /*@*/
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
