/* Two numbers go in two partitions, and arrive in one. With WRONG 1 they arrive as numbers of another type. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, numbers[2] = {0};
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(numbers, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else {
        MPI_Precv_init(numbers, 1, 2, WRONG ? MPI_FLOAT : MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    for (int round = 0; round < 2; round++) {
        MPI_Start(&request);
        if (rank == 0) {
            MPI_Pready(1, request);
            MPI_Pready(0, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
