/* A value that two sends have, and a store into it while they are pending, if `early`. */
#include <mpi.h>
#include <stddef.h>

static int send_twice(int early) {
    int rank, value = 1, got;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        if (early) value = 2;
        MPI_Waitall(2, requests, statuses);
        value = 3;
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return value == 0;
}
