/* DAMPI-TEST
 *   np: 1
 *   expect: deadlock
 *   interleavings: 1
 *   options: --buffering zero
 * A message to oneself, sent before it is received. Twins: to_self_native, to_self_ok, to_self_infinite.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, in;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
