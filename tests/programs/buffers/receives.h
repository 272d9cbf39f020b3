/* Two receives are pending at a time. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int numbers[16];
        MPI_Request requests[3];
        MPI_Irecv(numbers, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(numbers + 4, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(numbers + 8 - WRONG, 8, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        int numbers[8] = {0};
        MPI_Send(numbers, 7, MPI_INT, 0, 0, MPI_COMM_WORLD); /* shorter than its receive */
        MPI_Send(numbers, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 7, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
