/* DAMPI-TEST
 *   np: 1
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * A synchronous send to oneself before the receive is posted: one rank alone can deadlock. Twin: ssend_to_self_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int out = 4, in = 0;
    MPI_Init(NULL, NULL);
    MPI_Ssend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(in == 4);
    MPI_Finalize();
    return 0;
}
