/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 *   outcomes: {2#0<-1}
 * The sender's wait is over when the receiver has started: the sender knows then what the receiver knew.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1, data = 0;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(&data, 1, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Pready(0, h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Request_free(&h);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
        MPI_Precv_init(&data, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Request_free(&h);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
