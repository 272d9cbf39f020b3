/* So many numbers are sent that they wait for their receive. With WRONG 1 one of them is set meanwhile. */
#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = 100000 };

int main(int argc, char** argv) {
    int rank;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* numbers = calloc(NUMBERS, sizeof(int));
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(numbers, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < NUMBERS; ++i) sum += numbers[i];
        if (WRONG) numbers[NUMBERS / 2] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        numbers[NUMBERS / 2] = 1;
    } else {
        MPI_Recv(numbers, NUMBERS, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(numbers);
    MPI_Finalize();
    return sum;
}
