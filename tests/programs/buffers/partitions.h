/* A partitioned transfer, whose partitions are received from elsewhere before they are passed on. With WRONG 1 it is
 * wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum { partitions = 2 };
    int numbers[partitions] = {0};
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(numbers, partitions, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Recv(&numbers[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Pready(0, request);
        if (WRONG) MPI_Pready(1, request);
        MPI_Recv(&numbers[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!WRONG) MPI_Pready(1, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Precv_init(numbers, partitions, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(numbers, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
