/* Rank 0 takes two messages in any order while it waits for a third. With WRONG 1 and rank 2 first it frees the request
 * of that one. */
#include <mpi.h>

int main(int argc, char** argv) {
    static int numbers[3];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Request request;
        MPI_Irecv(&numbers[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&numbers[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&numbers[2], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (WRONG && status.MPI_SOURCE == 2) {
            MPI_Request_free(&request);
        } else {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&numbers[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(&numbers[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
