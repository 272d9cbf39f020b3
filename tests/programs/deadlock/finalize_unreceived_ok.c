/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The twin of finalize_unreceived.c and finalize_unreceived_large.c: the messages are received after the sender has
 * come to MPI_Finalize.
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
    static int value = 1, values[100000];
    int rank;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Request_free(&requests[0]);
        MPI_Isend(values, 100000, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[1]);
        MPI_Request_free(&requests[1]);
    } else {
        usleep(50000);
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(values, 100000, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
