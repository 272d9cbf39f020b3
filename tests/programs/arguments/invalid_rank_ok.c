/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * A ring. Twin: invalid_rank.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
