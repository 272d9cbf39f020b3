/* DAMPI-TEST
 *   np: 2
 *   expect: leak/message
 *   interleavings: 1
 * The request is freed, but that does not make anybody receive the message.
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
    }
    MPI_Finalize();
    return 0;
}
