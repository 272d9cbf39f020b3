/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: request/freed
 *   where: freed_receive.c:@
 * A persistent receive is freed while it is pending. Twin: freed_requests_ok.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int value;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Request_free(&request); /*@*/
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
