/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_amount_gather.c:@
 * The root of a gather expects more from each rank than they send. Twin: mismatch_amount_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0, 0}, all[6];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Gather(values, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD); /*@*/
    } else {
        MPI_Gather(values, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
