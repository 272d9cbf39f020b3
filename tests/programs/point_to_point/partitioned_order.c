/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 * Two transfers with the same tag are tied to each other in the order in which they are made, not in that in which they
 * are started or made ready.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, data[2] = {0, 0};
    MPI_Request h[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; ++i) {
        if (rank == 0) {
            MPI_Psend_init(&data[i], 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h[i]);
        } else {
            MPI_Precv_init(&data[i], 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h[i]);
        }
    }
    MPI_Startall(2, h);
    if (rank == 0) {
        data[0] = 10;
        data[1] = 11;
        MPI_Pready(0, h[1]);
        MPI_Pready(0, h[0]);
        MPI_Waitall(2, h, MPI_STATUSES_IGNORE);
    } else {
        MPI_Wait(&h[1], MPI_STATUS_IGNORE);
        assert(data[1] == 11);
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        assert(data[0] == 10);
    }
    MPI_Request_free(&h[0]);
    MPI_Request_free(&h[1]);
    MPI_Finalize();
    return 0;
}
