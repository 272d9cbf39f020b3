/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_large_count.c:@
 * As mismatch_amount, with counts of both widths. Twin: mismatch_large_count_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0, 0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast_c(values, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@*/
    } else {
        MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
