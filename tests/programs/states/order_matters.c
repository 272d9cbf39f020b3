/* DAMPI-TEST
 *   np: 4
 *   expect: abort
 *   options: --engine central --merge-states always
 * What the first rank keeps says in which order the messages of the first phase came, and one order of the second phase
 * after one of the first is a fault: states that differ only in that are not taken for one.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank = 0;
    int order = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int phase = 0; phase < 2; ++phase) {
        if (rank == 0) {
            for (int i = 1; i < 4; ++i) {
                int came = 0;
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                order = order * 4 + came;
            }
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (order == ((((3 * 4 + 1) * 4 + 2) * 4 + 2) * 4 + 3) * 4 + 1) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
