/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   interleavings: 2
 *   outcomes: {0#0=0 0#1=0} {0#0=0 0#1=none~1}
 * One function polls for two callers: the first asks again, the second gives up.
 */
#include <mpi.h>
#include <stddef.h>

static int is_here(MPI_Request* request) {
    int flag = 0;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

int main(void) {
    int rank, first = 0, second = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!is_here(&request)) {}
        MPI_Irecv(&second, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        if (!is_here(&request)) MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        MPI_Send(&first, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&second, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
