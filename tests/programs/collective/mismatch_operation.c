/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_operation.c:@
 * One rank of four calls another collective than the rest. All see it; it is one finding, which names rank 0 and the
 * rank that differs. Twin: mismatch_operation_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@*/
    }
    MPI_Finalize();
    return 0;
}
