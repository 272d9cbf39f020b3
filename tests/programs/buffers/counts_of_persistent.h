#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, counts[2] = {1, 1}, displacements[2] = {0, 1}, sent = 1, received[4];
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgatherv_init(&sent, 1, MPI_INT, received, counts, displacements, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                        &request);
    for (int round = 0; round < 3; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sent++;
        if (WRONG && round == 1) displacements[1] = 2;
    }
    MPI_Request_free(&request);
    displacements[1] = 3;
    MPI_Finalize();
    return 0;
}
