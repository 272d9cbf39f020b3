/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Twin of message: both are of one type.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    float real = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&real, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&real, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
