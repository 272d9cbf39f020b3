/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 * The same receives on a communicator of all, where those who compute first send then. Twin: partial_wildcard_in_group.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        usleep(300000);
        MPI_Send(&value, 1, MPI_INT, rank - 2, rank - 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
