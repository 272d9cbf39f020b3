/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_operator.c:@
 * One rank reduces with another operator. Nothing hangs, and the result is some number. Twin: mismatch_operator_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 2, result = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        MPI_Allreduce(&value, &result, 1, MPI_INT, rank == 2 && i >= 3 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD); /*@*/
    }
    MPI_Finalize();
    return 0;
}
