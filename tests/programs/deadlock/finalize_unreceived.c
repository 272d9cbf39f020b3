/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   where: finalize_unreceived.c:@
 *   interleavings: 1
 * MPI_Finalize waits for a synchronous send that nobody receives.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int value = 1;
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request); /*@*/
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
