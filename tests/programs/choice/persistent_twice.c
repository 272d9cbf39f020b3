/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --buffering native
 * A persistent request may stand in an array twice: where the first has made it inactive, the second says nothing.
 * Its completion frees nothing that the other one would still name.
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, value = 0, which = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request array[2];
        MPI_Status statuses[2];
        MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &array[0]);
        array[1] = array[0];
        for (int i = 0; i < 3; i++) {
            MPI_Start(&array[0]);
            if (i == 0) {
                MPI_Waitall(2, array, statuses);
            } else if (i == 1) {
                MPI_Waitany(2, array, &which, &statuses[0]);
            } else {
                do {
                    MPI_Testall(2, array, &flag, statuses);
                } while (!flag);
            }
            assert(value == i);
        }
        MPI_Request_free(&array[0]);
    } else {
        for (int i = 0; i < 3; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
