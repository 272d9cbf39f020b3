/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * A receive that names rank 1 completes while a wildcard is pending: the wildcard has matched before it, and it
 * could have taken rank 1's only message. Twin: named_after_pending_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int any = 0, one = 0;
        MPI_Request h;
        MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Recv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(one == 1 && (any == 1 || any == 2));
    } else {
        for (int i = 0; i < 1; i++) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
