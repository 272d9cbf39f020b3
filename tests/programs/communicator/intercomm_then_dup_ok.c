/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 * A group makes an intercommunicator, and then duplicates, splits and reduces on its own communicator: the meetings of
 * the first have nothing to do with those of the others, whatever the ranks and the number of collectives before.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm local, between, copy, part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &local);
    for (int before = 0; before < 4; ++before) {
        for (int i = 0; i < before; ++i) {
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, local);
        }
        MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 1234, &between);
        if (rank % 2 == 1) {
            MPI_Comm_dup(local, &copy);
            MPI_Comm_split(local, 0, rank, &part);
            MPI_Comm_free(&copy);
            MPI_Comm_free(&part);
        }
        MPI_Comm_free(&between);
    }
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
