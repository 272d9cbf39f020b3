/* DAMPI-TEST
 *   np: 2
 *   expect: argument/datatype
 *   interleavings: 1
 *   where: reduce_no_datatype.c:@
 * MPI_DATATYPE_NULL, in the root and elsewhere: MPICH says only that no operator is defined for it.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int value = 1, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Reduce(&value, &sum, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, MPI_COMM_WORLD); /*@*/
    MPI_Finalize();
    return 0;
}
