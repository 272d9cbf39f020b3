/* Three ranks; rank 0 takes two messages by wildcard. One order deadlocks (rank 0 then waits for a third).
 * With two sources and one decision there are two interleavings. Prints one line per rank on each stream. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, first = 0, other = 0;
    const char* word = getenv("DAMPI_TEST_WORD");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("out of rank %d: %s, %d arguments%s%s\n", rank, word == NULL ? "(unset)" : word, argc - 1,
           argc > 1 ? ", the first: " : "", argc > 1 ? argv[1] : "");
    fprintf(stderr, "err of rank %d\n", rank);
    fflush(stdout);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 2) MPI_Recv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
