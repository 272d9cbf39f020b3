/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --buffering both
 *   interleavings: 2
 * lost_message_waits.c with receives.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        int other;
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, &request);
        MPI_Recv(&other, 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
