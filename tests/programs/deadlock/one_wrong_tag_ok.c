/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --buffering both
 *   interleavings: 2
 * one_wrong_tag.c with the tag that is received.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
