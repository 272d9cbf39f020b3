/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * A rank makes its broadcasts of nothing when the others have made all of theirs. Twin: mismatch_far_behind.
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
        MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank != 2) MPI_Send(&go, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
