/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0=0}
 * Rank 2 takes the synchronous message only after rank 0 has been told of the other one.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1;
    if (rank == 0) {
        int which = MPI_UNDEFINED;
        MPI_Request h[2];
        MPI_Issend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Issend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        assert(which == 0);
        MPI_Send(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Wait(&h[1], MPI_STATUS_IGNORE);
    } else {
        if (rank == 2) MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
