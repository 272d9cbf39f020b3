/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 * The last partition is made ready when the receiver has sent, which then waits for the whole.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1, data[2] = {0, 0};
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Pready(0, h);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Pready(1, h);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    }
    if (rank == 0) MPI_Wait(&h, MPI_STATUS_IGNORE);
    MPI_Request_free(&h);
    MPI_Finalize();
    return 0;
}
