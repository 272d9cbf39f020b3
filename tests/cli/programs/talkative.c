/* Rank 0 takes one message from each other rank by wildcard, in every order, says so, and aborts if the last one comes
 * from rank 1, unless there is an argument. While there is a file that DAMPI_TEST_HOLD names, each run adds a byte to
 * it, and those after the fifth wait until it is gone, at most 100 seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <sys/stat.h>

static void hold(const char* name) {
    struct stat state;
    struct timespec pause = {0, 10000000};
    FILE* file = fopen(name, "r+");
    int i;
    if (file == NULL) return;
    fseek(file, 0, SEEK_END);
    fputc('.', file);
    fclose(file);
    for (i = 0; i < 10000 && stat(name, &state) == 0 && state.st_size > 5; ++i) nanosleep(&pause, NULL);
}

int main(int argc, char** argv) {
    int rank, size, i, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (getenv("DAMPI_TEST_HOLD") != NULL) hold(getenv("DAMPI_TEST_HOLD"));
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
