/* DAMPI-TEST
 *   np: 4
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering zero
 * Each rank sends to the next one and then receives from the one before. Twin: ring_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, in;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
