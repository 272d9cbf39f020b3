/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   interleavings: 1
 *   outcomes: {}
 * A message longer than its receive buffer, under the default error handler: MPI aborts the program.
 * Twin: mpi_error_fatal_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, data[4] = {1, 2, 3, 4};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(data[1] == 2);
    }
    MPI_Finalize();
    return 0;
}
