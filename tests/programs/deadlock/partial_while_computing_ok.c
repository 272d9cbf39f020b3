/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 * Ranks 0 and 1 wait for each other in turn, and rank 2 computes for a while. Twin: partial_while_computing.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        usleep(300000);
    }
    MPI_Finalize();
    return 0;
}
