/* DAMPI-TEST
 *   np: 6
 *   expect: clean
 *   args: 10
 *   options: --engine central --merge-states always
 *   interleavings: 21
 * Two masters, who take a message of each of their two workers in each of ten rounds, and answer. No worker ever hears
 * of the other master. Of 4^10 outcomes there is one other order for each round of each master.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    const int group = 3;
    const int rounds = argc > 1 ? atoi(argv[1]) : 2;
    int rank = 0;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int master = rank / group * group;
    for (int round = 0; round < rounds; ++round) {
        int came = 0;
        if (rank == master) {
            for (int i = 1; i < group; ++i) {
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                sum += came;
            }
            came = 0;
            for (int i = 1; i < group; ++i) {
                MPI_Send(&came, 1, MPI_INT, master + i, 2, MPI_COMM_WORLD);
            }
        } else {
            MPI_Send(&rank, 1, MPI_INT, master, 1, MPI_COMM_WORLD);
            MPI_Recv(&came, 1, MPI_INT, master, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return sum == -1;
}
