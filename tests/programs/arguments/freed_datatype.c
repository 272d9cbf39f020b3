/* DAMPI-TEST
 *   np: 2
 *   expect: argument/datatype
 *   interleavings: 1
 *   where: freed_datatype.c:@
 * A copy of a datatype's handle is used after the datatype was freed.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {1, 2};
    MPI_Datatype pair, copy;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    copy = pair;
    MPI_Type_free(&pair);
    if (rank == 0) {
        MPI_Send(values, 1, copy, 1, 0, MPI_COMM_WORLD); /*@*/
        MPI_Send(values, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
