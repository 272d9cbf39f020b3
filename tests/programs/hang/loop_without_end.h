#include <mpi.h>
#include <stddef.h>

static volatile int done;

static void wait_until_done(void) {
    while (!done) {}
}

int main(void) {
    int rank, first = 0, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        first = status.MPI_SOURCE;
        MPI_Recv(&value, 1, MPI_INT, 3 - first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    done = rank != 0 || !(WRONG == 1 || (WRONG == 2 && first == 2));
    wait_until_done();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
