/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Reductions with operators of the program's own, which have other handles in each rank, and a commutative one in place
 * of one that is not said to be. Twin: mismatch_operator.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)inout)[i] += ((const int*)in)[i];
}

int main(void) {
    int rank, value = 2, result = 0;
    MPI_Op other, sum;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) MPI_Op_create(add, 0, &other);
    MPI_Op_create(add, 1, &sum);
    if (rank != 1) MPI_Op_create(add, 0, &other);
    MPI_Allreduce(&value, &result, 1, MPI_INT, sum, MPI_COMM_WORLD);
    assert(result == 6);
    MPI_Scan(&value, &result, 1, MPI_INT, other, MPI_COMM_WORLD);
    assert(result == 2 * (rank + 1));
    MPI_Reduce_scatter_block(MPI_IN_PLACE, &result, 0, MPI_INT, sum, MPI_COMM_WORLD);
    MPI_Op_free(&sum);
    MPI_Op_free(&other);
    MPI_Finalize();
    return 0;
}
