/* What is received is passed on. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int number = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (!WRONG) MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        if (WRONG) MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
