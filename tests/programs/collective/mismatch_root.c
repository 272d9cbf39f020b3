/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_root.c:@
 * The ranks do not agree who the root of a nonblocking broadcast is. Twin: mismatch_root_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int root = rank == 3 ? 1 : 0;
    MPI_Ibcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD, &request); /*@*/
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
