/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * A ring of synchronous sends: each rank waits until its right neighbour receives. Twin: circular_wait_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, got = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Ssend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == left);
    MPI_Finalize();
    return 0;
}
