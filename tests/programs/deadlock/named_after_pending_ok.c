/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --no-message-leaks
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * Every rank sends twice, so that the named receive finds a message whatever the pending wildcard took; the
 * rest is never received. Twin: named_after_pending.
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
        for (int i = 0; i < 2; i++) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
