/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0=0}
 * MPI_Request_get_status answers true once and for all; it leaves the request.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    if (rank == 0) {
        MPI_Request h;
        MPI_Status status;
        MPI_Irecv(&got, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &h);
        while (!flag) MPI_Request_get_status(h, &flag, &status);
        assert(status.MPI_SOURCE == 1 && status.MPI_TAG == 7 && got == 1 && h != MPI_REQUEST_NULL);
        flag = 0;
        MPI_Request_get_status(h, &flag, MPI_STATUS_IGNORE);
        assert(flag);
        flag = 0;
        MPI_Test(&h, &flag, MPI_STATUS_IGNORE);
        assert(flag && h == MPI_REQUEST_NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
