/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {2#0<-0 2#1<-1} {2#0<-1 2#1<-0} {2#0<-1 2#1<-1}
 *   options: --no-message-leaks --clock vector
 * Neither match of rank 2 precedes the other when both messages are those of rank 1. That MPI_Recv takes the message of
 * rank 0 needs the match of MPI_Irecv, which accepts it, too.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        int pending, got;
        MPI_Request request;
        MPI_Irecv(&pending, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
