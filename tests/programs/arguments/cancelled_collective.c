/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request, incomplete
 *   interleavings: 1
 *   outcomes: {}
 *   where: cancelled_collective.c:@
 * The request of a nonblocking collective is cancelled. Twin: cancelled_collective_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int value = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request); /*@*/
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
