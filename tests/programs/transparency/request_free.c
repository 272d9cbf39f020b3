/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * A request freed while it is active goes on by itself; a freed handle is null. That is no leak.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank + 40, got = 0;
    MPI_Request h;
    MPI_Isend(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &h);
    MPI_Request_free(&h);
    assert(h == MPI_REQUEST_NULL);
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == 41 - rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
