/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {2#0<-0 2#1<-3}
 * A synchronous send is received by a receive that names its source, after a wildcard: what its sender causes then,
 * rank 3's message, comes too late for that wildcard. Twin with pending receives and a large message:
 * issend_large_named.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int token = 0, got = -1;
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Ssend(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 0);
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 3);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
