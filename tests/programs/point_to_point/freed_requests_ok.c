/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Requests are freed of which nothing has to be known any more: of a receive that is known to be complete, that was
 * cancelled, that is not started, or is of nobody; and of a send, whose message an answer shows to have been received.
 * Twin of freed_receive.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    static int value, answer;
    int rank, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 1;
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
