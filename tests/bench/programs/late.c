/* Each rank computes for so many seconds (the argument), and then rank 0 takes one message from each other rank by
 * wildcard, round by round (the second argument): ((ranks - 1)!)^rounds interleavings, which all begin with the same
 * long computation. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, size, i, round, got;
    volatile double sum = 0;
    double begin, seconds;
    MPI_Init(&argc, &argv);
    seconds = argc > 1 ? atof(argv[1]) : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    begin = MPI_Wtime();
    while (MPI_Wtime() - begin < seconds) {
        for (i = 0; i < 10000; ++i) sum += i * 0.5;
    }
    for (round = 0; round < (argc > 2 ? atoi(argv[2]) : 7); ++round) {
        for (i = 1; i < size; ++i) {
            if (rank == 0) {
                MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == i) {
                MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
