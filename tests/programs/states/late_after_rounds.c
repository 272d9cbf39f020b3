/* DAMPI-TEST
 *   np: 4
 *   expect: deadlock
 * The first rank takes two messages by wildcards in each of two rounds, from the two that follow it. Only when all
 * that is over the last rank, which has never heard of it, is set going by another one, and sends what the first rank's
 * very first receive could have taken: then a message is left over, and one is lacking in the end. So runs that have
 * met in an earlier round have to go on all the same.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank = 0;
    int came = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 2; ++round) {
        if (rank == 0) {
            int sum = 0;
            MPI_Status status;
            MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            sum += came;
            MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            came = sum + came;
            status.MPI_SOURCE = 0;
        } else if (rank < 3) {
            MPI_Send(&round, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        MPI_Recv(&came, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1 || rank == 2) {
        MPI_Send(&rank, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
