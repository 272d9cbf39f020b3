/* A master with workers: rank 0 receives results from anybody and answers each; now and then all take part in an
 * allreduce. Only rank 0 has wildcards. Prints the microseconds for one result, over all rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int rounds = argc > 1 ? atoi(argv[1]) : 100;
    double result = rank, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            for (int i = 1; i < size; i++) {
                MPI_Status status;
                MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                MPI_Send(&result, 1, MPI_DOUBLE, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
            }
        } else {
            MPI_Send(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (round % 10 == 9) MPI_Allreduce(&result, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - begin;
    if (rank == 0) printf("clocks/%d-ranks %.4f\n", size, seconds / rounds / (size - 1) * 1e6);
    MPI_Finalize();
    return 0;
}
