/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: without_finalize.c:@
 * Rank 1 returns from main early, with status 0. Twin: exit_no_finalize_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, sum = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100000; ++i) {
        sum += i % 3;
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum == 0) {
        return 0;
    }
    if (rank == 1) {
        return 0; /*@*/
    }
    MPI_Finalize();
    return 0;
}
