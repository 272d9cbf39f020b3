/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The library frees what it creates. Twin: forgotten_communicator.
 */
#include <mpi.h>
#include <stdio.h>

/* The sum over all ranks, computed on a communicator of its own so that it disturbs nobody. */
static int library_sum(int value) {
    int sum = 0;
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, own);
    MPI_Comm_free(&own);
    return sum;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i <= 3; i++) {
        const int sum = library_sum(i * (rank + 1));
        if (rank == 0) printf("sum %d: %d\n", i, sum);
    }
    MPI_Finalize();
    return 0;
}
