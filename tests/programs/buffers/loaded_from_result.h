/* A sum over all ranks is begun, from numbers that are still used. With WRONG 1 its result is used too early. */
#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = 1000 };

int main(int argc, char** argv) {
    double sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    double* numbers = calloc(NUMBERS, sizeof(double));
    double* result = calloc(NUMBERS, sizeof(double));
    MPI_Iallreduce(numbers, result, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    sum += numbers[7];
    if (WRONG) sum += result[7];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += result[7];
    free(numbers);
    free(result);
    MPI_Finalize();
    return sum == 0 ? 0 : 1;
}
