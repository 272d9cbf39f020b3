/* DAMPI-TEST
 *   np: 2
 *   options: --engine central
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * On a ring of two, both neighbours are the same process: what goes to the one below comes to it from above, by all
 * three functions alike. (MPICH 4.0's own functions with counts take it from below; so the data are not looked at.)
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    enum { TO_LEFT = 1, TO_RIGHT = 2 };
    const int sent[2] = {TO_LEFT, TO_RIGHT}, received[2] = {TO_RIGHT, TO_LEFT}, places[2] = {0, 4};
    const MPI_Aint bytes[2] = {0, 4 * sizeof(int)};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int rank, size = 2, periodic = 1, in[8] = {0}, out[8];
    MPI_Comm ring;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8; i++) out[i] = 10 * rank + i;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    assert(in[0] == 10 * (1 - rank) + 1 && in[1] == 10 * (1 - rank));
    MPI_Neighbor_alltoallv(out, sent, places, MPI_INT, in, received, places, MPI_INT, ring);
    MPI_Neighbor_alltoallw(out, sent, bytes, types, in, received, bytes, types, ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
