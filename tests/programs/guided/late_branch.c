/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   options: --no-message-leaks
 *   interleavings: 3
 *   outcomes: {0#0<-2 0#1<-1 1#0<-3} {0#0<-2 0#1<-2 1#0<-2} {0#0<-2 0#1<-2 1#0<-3}
 * Rank 1's message to rank 0 exists only when rank 1 took rank 3's message: the alternative of one rank's epoch
 * depends on the outcome of another's.
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
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 2);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1 || got == 2);
    } else if (rank == 1) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got == 3) MPI_Send(&rank, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    } else {
        if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
