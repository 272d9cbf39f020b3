/* Numbers are received while others on the same page are used. With WRONG 1 one of them is used too early. */
#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = 10 };

int main(int argc, char** argv) {
    int rank;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* numbers = calloc(NUMBERS + 2, sizeof(int));
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(numbers + 1, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        sum = numbers[0] + numbers[NUMBERS + 1];
        if (WRONG) sum += numbers[3];
        numbers[0] = sum;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += numbers[3];
    } else {
        MPI_Send(numbers, NUMBERS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(numbers);
    MPI_Finalize();
    return sum;
}
