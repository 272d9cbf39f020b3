/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_far_behind.c:@
 * A rank names another root, in a broadcast of nothing, when the others have made hundreds of them since. Nobody was to
 * learn anything from those. Twin: mismatch_far_behind_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, go = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Recv(&go, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&go, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 400; i++) {
        MPI_Bcast(NULL, 0, MPI_INT, rank == 2 && i == 5 ? 1 : 0, MPI_COMM_WORLD); /*@*/
    }
    if (rank != 2) MPI_Send(&go, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
