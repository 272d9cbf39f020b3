/* A master that receives so many messages of all others together, each by a wildcard, before it does anything else. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long each = (argc > 1 ? atol(argv[1]) : 3000) / (size - 1);
    for (long i = 0; rank == 0 && i < each * (size - 1); i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (long i = 0; rank != 0 && i < each; i++) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
