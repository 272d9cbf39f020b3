/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Parrived
 * The receiver asks for each partition until it has arrived.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, data[3] = {0, 0, 0};
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 3, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        for (int i = 0; i < 3; ++i) {
            data[i] = i + 1;
            MPI_Pready(i, h);
        }
    } else {
        MPI_Precv_init(data, 3, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &h);
        MPI_Start(&h);
        for (int i = 0; i < 3; ++i) {
            int arrived = 0;
            while (!arrived) MPI_Parrived(h, i, &arrived);
            assert(data[i] == i + 1);
        }
    }
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    MPI_Request_free(&h);
    MPI_Finalize();
    return 0;
}
