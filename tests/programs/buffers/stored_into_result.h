/* A sum of all ranks, and a number that the first one has. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request requests[2];
    double own = rank, sum = -1;
    int number = rank == 0;
    if (!WRONG) sum = 0;
    MPI_Iallreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    if (WRONG) sum = 0;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    number = 0;
    /* Each rank's own part is there already. */
    double parts[2] = {rank, rank};
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts, 1, MPI_DOUBLE, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
