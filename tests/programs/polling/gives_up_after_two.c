/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   interleavings: 3
 *   outcomes: {0#0=0} {0#0=0~1} {0#0=none~2}
 * One answer "nothing yet" makes no difference, two do.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
