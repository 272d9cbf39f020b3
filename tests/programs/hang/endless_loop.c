/* DAMPI-TEST
 *   np: 2
 *   options: --hang-limit 1
 *   expect: hang, incomplete
 *   interleavings: 1
 * Rank 1 never comes back to MPI. Twin: endless_loop_ok.
 */
#include <mpi.h>
#include <stddef.h>

static void compute(void) {
    for (volatile long i = 0;; ++i) {}
}

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        compute();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
