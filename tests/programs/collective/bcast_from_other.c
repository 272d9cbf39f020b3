/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {1#0<-0 1#1<-2} {1#0<-2 1#1<-0}
 * A broadcast orders only what the root did before it: rank 2 sends after rank 0's broadcast, which does not wait
 * for rank 1's receive. Twin: bcast_from_receiver.
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
        MPI_Bcast(&in, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 2 && a != b);
    } else if (rank == 2) {
        MPI_Bcast(&in, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Bcast(&in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    assert(in == 1 && out == 0);
    MPI_Finalize();
    return 0;
}
