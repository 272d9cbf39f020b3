/* Rank 0 takes one message from each other rank, says in which order, and gives up when it cannot: (ranks - 1)!
 * interleavings, of which those with the last rank first crash. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank, size, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        char text[100];
        int length = 0, first = 0;
        for (int i = 1; i < size; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 1) first = got;
            length += snprintf(text + length, sizeof text - length, "%d ", got);
        }
        if (write(1, text, length) != length) {
            fprintf(stderr, "the order cannot be written\n");
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        if (first == size - 1) abort();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
