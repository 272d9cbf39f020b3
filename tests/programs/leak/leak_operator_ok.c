/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The operator is freed. Twin: leak_operator.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static void larger(void* in, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *n; i++)
        if (((int*)in)[i] > ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op;
    int result = -1;
    MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&rank, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
    assert(result == 1);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
