/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   options: --engine central --merge-states always
 * Three phases that come to the same state in whatever order messages come; in a fourth one order is a deadlock. It is
 * found behind all of them.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank = 0;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int phase = 0; phase < 4; ++phase) {
        if (rank == 0) {
            MPI_Status status;
            int came = 0;
            MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, &status);
            sum += came;
            if (phase == 3 && status.MPI_SOURCE == 2) {
                MPI_Recv(&came, 1, MPI_INT, 2, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&came, 1, MPI_INT, MPI_ANY_SOURCE, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            sum += came;
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum == -1;
}
