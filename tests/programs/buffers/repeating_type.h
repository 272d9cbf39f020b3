/* A datatype has a byte more than once. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[16] = {0};
    MPI_Datatype sliding;
    MPI_Type_vector(4, 2, 1, MPI_INT, &sliding);
    MPI_Type_commit(&sliding);
    if (rank == 0) {
#if WRONG
        MPI_Recv(numbers, 1, sliding, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(numbers, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Send(numbers, 1, sliding, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&sliding);
    MPI_Finalize();
    return 0;
}
