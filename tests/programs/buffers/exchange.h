/* Neighbours exchange numbers. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[6] = {rank, rank, rank, rank, rank, rank};
    int other = 1 - rank;
    MPI_Status status;
#if WRONG
    MPI_Sendrecv(numbers, 3, MPI_INT, other, 0, numbers + 2, 3, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
#else
    MPI_Sendrecv_replace(numbers, 3, MPI_INT, other, 0, other, 0, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(numbers, 2, MPI_INT, other, 0, numbers + 2, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
    if (rank == 0)
        MPI_Sendrecv(numbers, 4, MPI_INT, other, 1, numbers, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    else
        MPI_Sendrecv(numbers, 4, MPI_INT, MPI_PROC_NULL, 0, numbers, 4, MPI_INT, other, 1, MPI_COMM_WORLD, &status);
#endif
    MPI_Finalize();
    return 0;
}
