/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The receive is posted before the synchronous send. Twin: ssend_to_self.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int out = 4, in = 0;
    MPI_Init(NULL, NULL);
    MPI_Request h;
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
    MPI_Ssend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    assert(in == 4);
    MPI_Finalize();
    return 0;
}
