/* Ranks in a line exchange with their neighbours, while a message is received beside. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size = 3;
    int open = 0;
    int sent[2] = {rank, rank};
    int received[2] = {0};
    MPI_Comm line;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &line);
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, line, &request);
    if (rank == 0)
        MPI_Recv(&received[WRONG ? 1 : 0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
