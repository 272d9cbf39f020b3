/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   options: --buffering zero
 *   interleavings: 1
 * The receiving halves go through, the sending halves wait for receives that are not posted.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isendrecv(&rank, 1, MPI_INT, 1, 0, &got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
