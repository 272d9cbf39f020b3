/* Numbers are received while their neighbour is counted up. With WRONG 1 one of them is set, which is wrong. */
#include <mpi.h>

enum { NUMBERS = 10 };

int main(int argc, char** argv) {
    int rank;
    int numbers[NUMBERS + 1] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(numbers, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (WRONG) numbers[2] = 1;
        numbers[NUMBERS]++;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        numbers[2] = 1;
    } else {
        MPI_Send(numbers, NUMBERS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
