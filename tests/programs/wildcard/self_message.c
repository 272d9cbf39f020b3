/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-0 0#1<-1} {0#0<-1 0#1<-0}
 * A rank may be its own sender.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int mine = 50, a = 0, b = 0;
        MPI_Request h;
        MPI_Isend(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(a + b == 51);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
