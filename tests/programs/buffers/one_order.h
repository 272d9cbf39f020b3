/* Rank 0 takes two messages in any order. The first decides where the second goes. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[3] = {0};
    if (rank == 0) {
        MPI_Status status;
        MPI_Request request;
        MPI_Irecv(&numbers[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&numbers[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        int* second = WRONG && status.MPI_SOURCE == 2 ? &numbers[0] : &numbers[2];
        MPI_Recv(second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(numbers, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
