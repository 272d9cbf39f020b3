/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   options: --buffering both
 *   interleavings: 2
 *   findings: 1
 * Rank 1 sends with another tag than rank 0 receives: with buffers it waits in the barrier, without in its send. That
 * is one finding.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
