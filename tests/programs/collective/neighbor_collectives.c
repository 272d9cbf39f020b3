/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Neighbourhood collectives on a ring, blocking and nonblocking.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int left = (rank + 3) % 4, right = (rank + 1) % 4;
    int size = 4, periodic = 1, in[2] = {-1, -1}, out[2] = {10 * rank, 10 * rank + 1};
    MPI_Comm ring;
    MPI_Request h;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring);
    assert(in[0] == left && in[1] == right);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    assert(in[0] == 10 * left + 1 && in[1] == 10 * right);
    in[0] = in[1] = -1;
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring, &h);
    MPI_Wait(&h, MPI_STATUS_IGNORE);
    assert(in[0] == left && in[1] == right);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
