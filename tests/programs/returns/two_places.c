/* DAMPI-TEST
 *   np: 3
 *   expect: exit
 *   findings: 2
 *   interleavings: 1
 *   outcomes: {}
 *   where: two_places.c:@
 * Ranks whose mains return from different lines are two findings. Twin: exit_nonzero_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 1) return 4;
    if (rank == 2) return 4; /*@*/
    return 0;
}
