#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, counts[2] = {1, 1}, displacements[2] = {0, 1}, others[2] = {0, 1}, sent[4] = {0}, received[4];
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ialltoallv(sent, counts, displacements, MPI_INT, received, counts, others, MPI_INT, MPI_COMM_WORLD, &request);
    if (WRONG) others[1] = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    displacements[1] = 2;
    MPI_Alltoallv(sent, counts, displacements, MPI_INT, received, counts, others, MPI_INT, MPI_COMM_WORLD);
    counts[0] = 2;
    MPI_Finalize();
    return 0;
}
