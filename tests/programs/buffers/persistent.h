/* A persistent receive is started again and again, and another receive uses its buffer. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int number = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Recv_init(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&request);
            if (WRONG && i == 1) MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (!WRONG && i == 1) MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    } else {
        MPI_Request requests[4];
        for (int i = 0; i < 4; i++) MPI_Isend(&number, 1, MPI_INT, 0, i % 2, MPI_COMM_WORLD, &requests[i]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
