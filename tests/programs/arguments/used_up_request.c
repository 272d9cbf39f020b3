/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   interleavings: 1
 *   where: used_up_request.c:@
 * A second name of a request is waited for after the request has completed. MPI may not notice. Twin:
 * requests_used_again.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Request request, copy;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&copy, MPI_STATUS_IGNORE); /*@*/
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
