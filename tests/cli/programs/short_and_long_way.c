/* Two ways to the same state, of one choice and of three; behind it a deadlock. Which way it was is forgotten. */
#include <mpi.h>

static int rank;

static int from(int source, int tag) {
    int came = 0;
    MPI_Recv(&came, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return came;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const int any = MPI_ANY_SOURCE;
        if (from(any, 0) == 1) {
            from(any, 1);
            from(any, 1);
            from(2, 0);
        } else {
            from(1, 1);
            from(2, 1);
            from(1, 0);
        }
    } else {
        for (int tag = 0; tag < 2; tag++) MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        const int first = from(MPI_ANY_SOURCE, 2);
        from(3 - first, 2);
        if (first == 2) from(2, 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
