/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   where: finalize_unreceived_large.c:@
 *   interleavings: 1
 * A message that is too large to be buffered, and that nobody receives, holds MPI_Finalize up.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int values[100000];
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(values, 100000, MPI_INT, 1, 5, MPI_COMM_WORLD, &request); /*@*/
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
