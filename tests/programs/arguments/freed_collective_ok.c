/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The request of a persistent collective is freed when that is complete, and never when it is a nonblocking one's.
 * Twin: freed_collective.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
