/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering zero
 * A nonblocking send waits, too, as soon as somebody waits for it. Twin: isend_wait_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, in;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
