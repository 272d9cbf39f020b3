/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Figure 3.1: rank 2 sends to rank 0 only after a message from rank 1, yet rank 0 may take either first: nothing
 * between them has passed through rank 0.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Comm w = MPI_COMM_WORLD;
    int a = 0, b = 0;
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, MPI_STATUS_IGNORE);
        assert((a == 1 && b == 2) || (a == 2 && b == 1));
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, w);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, w);
    } else {
        MPI_Recv(&a, 1, MPI_INT, 1, 0, w, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, w);
    }
    MPI_Finalize();
    return 0;
}
