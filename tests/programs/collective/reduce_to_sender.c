/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#0<-0 1#1<-2}
 * The late sender is the root of the reduction: it knows of what rank 1 did before. Twin: reduce_to_receiver.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = -1, b = -1, in = rank + 1, out = 0;
    if (rank == 1) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 2 && a != b);
    } else if (rank == 2) {
        MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
    }
    assert(out == (rank == 2 ? 6 : 0));
    MPI_Finalize();
    return 0;
}
