/* Two ranks wait for messages that nobody sends, in calls that do not say for which: rank 0 with MPI_Waitall, rank 1
 * with MPI_Wait on a persistent request. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, data[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&data[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(&data[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, statuses);
    } else {
        MPI_Recv_init(&data[0], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], &statuses[0]);
    }
    MPI_Finalize();
    return 0;
}
