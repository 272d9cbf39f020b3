/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   interleavings: 4
 *   outcomes: {0#0=0} {0#0=0~1} {0#0=0~2} {0#0=none~3}
 * The program counts the answers "nothing yet", and gives up at the third. Twin: counts_nothing_ok.
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
        for (int i = 0; i < 3 && !flag; ++i) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag) MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
