/* Three ranks; in each of R rounds (the first argument) rank 0 takes two messages in either order, which makes 2^R
 * interleavings. With a second argument it then waits for a message that nobody sends if the last round began with
 * rank 2: in every second interleaving. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank, first = 0, second = 0;
    const int rounds = argc > 1 ? atoi(argv[1]) : 6;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0 && first == 2 && argc > 2) MPI_Recv(&second, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
