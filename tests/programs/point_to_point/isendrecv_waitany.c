/* DAMPI-TEST
 *   np: 2
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=1}
 *   where: isendrecv_waitany.c:@
 * MPI_Waitany may report the exchange or the receive.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got[2] = {-1, -1}, which = -1;
    MPI_Request h[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isendrecv(&rank, 1, MPI_INT, 1, 0, &got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        assert(got[which] == 1);
        assert(which == 0); /*@*/
        MPI_Wait(&h[1], MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&got[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
