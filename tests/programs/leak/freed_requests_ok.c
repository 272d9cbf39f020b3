/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: request/freed
 *   interleavings: 1
 *   options: --buffering zero
 * Both requests are freed before the message has come, and nobody calls MPI in between: the receive was posted and
 * takes the message in MPI_Finalize at the latest.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int value = 1;
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
