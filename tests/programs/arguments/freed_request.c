/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   notes: request/freed
 *   interleavings: 1
 *   where: freed_request.c:@
 * A receive is freed while it is pending, and asked for afterwards. Twin: requests_used_again.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Request request, copy;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Request_free(&request);
        MPI_Wait(&copy, MPI_STATUS_IGNORE); /*@*/
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
