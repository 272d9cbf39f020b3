/* A buffer is sent several times, and another or the same one received. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[4] = {1, 2, 3, 4};
    int answer[4];
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Isend(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(numbers + 1, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(numbers, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(WRONG ? numbers : answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 3; i++) MPI_Recv(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(numbers, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
