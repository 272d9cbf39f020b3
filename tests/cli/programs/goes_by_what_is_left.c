/* Rank 0 takes a message of each other rank: by wildcard, and aborts if the last one is the last rank's, as long as
 * nobody has left a file here. It leaves one. So the first run has a choice, and no other one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size, i, got = 0, old = 0;
    FILE* file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        file = fopen("left", "r");
        old = file != NULL;
        if (old) fclose(file);
        file = fopen("left", "w");
        if (file != NULL) fclose(file);
        for (i = 1; i < size; ++i)
            MPI_Recv(&got, 1, MPI_INT, old ? i : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!old && got != size - 1) MPI_Abort(MPI_COMM_WORLD, 9);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
