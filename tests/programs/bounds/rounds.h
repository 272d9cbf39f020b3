/* Rounds in which rank 0 takes one message of each of two workers, in any order: 2 ways each. */
#include <mpi.h>
#include <stddef.h>

static int rank, size;

static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static void take_one(MPI_Comm comm) {
    int got;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
}

static void one_round(MPI_Comm comm) {
    if (rank == 0)
        for (int i = 1; i < size; i++) take_one(comm);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    MPI_Barrier(comm);
}
