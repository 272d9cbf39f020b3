/* Rank 0 takes one message from each other rank by wildcard, in every order, says so, and aborts if the last one comes
 * from rank 1, unless there is an argument. Pauses for DAMPI_TEST_PAUSE milliseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
    const char* pause = getenv("DAMPI_TEST_PAUSE");
    int rank, size, i, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (pause != NULL) {
            struct timespec time = {0, 1000000L * atoi(pause)};
            nanosleep(&time, NULL);
        }
        for (i = 1; i < size; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%d\n", got);
        }
        fflush(stdout);
        if (got == 1 && argc == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
