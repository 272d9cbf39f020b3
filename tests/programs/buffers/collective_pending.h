/* A reduction is pending while a message is received. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int own = rank;
    int sum = 0;
    int message = 0;
    MPI_Request request;
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Recv(WRONG ? &sum : &message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&own, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* reading what the reduction reads is allowed */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
