/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#0<-0 1#1<-2}
 * As bcast_from_receiver, with a count of type MPI_Count in the root and of type int elsewhere. Twin:
 * large_counts_from_other.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = -1, b = -1, in = rank + 1;
    if (rank == 1) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast_c(&in, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 2 && a != b);
    } else if (rank == 2) {
        MPI_Bcast(&in, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Bcast(&in, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
    assert(in == 2);
    MPI_Finalize();
    return 0;
}
