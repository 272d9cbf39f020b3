/* Two ranks send messages of the size given to each other before they receive. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int size = atoi(argv[1]);
    char* message = calloc(2, size);
    MPI_Send(message, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(message + size, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(message);
    MPI_Finalize();
    return 0;
}
