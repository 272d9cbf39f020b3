/* Rank 0 takes messages in any order, and then one that is announced. With WRONG 1 it looks too early in one order. */
#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = 1000 };

int main(int argc, char** argv) {
    int rank;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* numbers = calloc(NUMBERS, sizeof(int));
    if (rank == 0) {
        MPI_Status status;
        int message;
        for (int i = 0; i < 2; ++i) {
            MPI_Request request;
            MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            MPI_Irecv(numbers, NUMBERS, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &request);
            if (WRONG && i == 0 && status.MPI_SOURCE == 2) sum += numbers[500];
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(numbers, NUMBERS, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    free(numbers);
    MPI_Finalize();
    return sum;
}
