/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_amount.c:@
 * A broadcast into a larger buffer than what is sent: the standard forbids it, though no library complains.
 * Twin: mismatch_amount_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast(values, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@*/
    } else {
        MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
