/* The least that a program does: every other rank sends one message to rank 0. With an argument, rank 0 receives
 * them from anybody, which makes (n-1)! interleavings of n ranks. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 1; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, argc > 1 ? MPI_ANY_SOURCE : i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
