/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * A shift around a ring with MPI_Sendrecv and MPI_Sendrecv_replace, with different types and lengths on the two
 * sides.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int right = (rank + 1) % 3, left = (rank + 2) % 3;
    int in[4] = {-1, -1, -1, -1}, out[2] = {rank, 10 * rank}, count = -1;
    MPI_Status status;
    MPI_Sendrecv(out, 2, MPI_INT, right, rank, in, 4, MPI_INT, left, left, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2 && in[0] == left && in[1] == 10 * left && in[2] == -1);
    assert(status.MPI_SOURCE == left && status.MPI_TAG == left);
    MPI_Sendrecv_replace(out, 2, MPI_INT, left, 7, right, 7, MPI_COMM_WORLD, &status);
    assert(out[0] == right && out[1] == 10 * right);
    MPI_Finalize();
    return 0;
}
