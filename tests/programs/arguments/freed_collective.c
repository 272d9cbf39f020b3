/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   interleavings: 1
 *   outcomes: {}
 *   where: freed_collective.c:@
 * The request of a nonblocking collective is freed before it is complete. Twin: freed_collective_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Request_free(&request); /*@*/
    MPI_Finalize();
    return 0;
}
