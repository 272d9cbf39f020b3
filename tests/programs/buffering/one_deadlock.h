/* Ranks 0 and 1 exchange a message, and rank 2 sends one to rank 0. */
#include <mpi.h>
#include <stddef.h>

static int exchange(int tags_differ) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 1 + tags_differ, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
