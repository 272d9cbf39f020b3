/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   central: refused MPI_Pready
 *   interleavings: 1
 * The sender has forgotten a partition.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, data[2] = {0, 0};
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        MPI_Pready(0, h);
    } else {
        MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
    }
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    MPI_Request_free(&h);
    MPI_Finalize();
    return 0;
}
