/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=1}
 *   where: waitany_sends.c:@
 * Both messages are small enough to be buffered at once; MPI_Waitany may report either send.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int which = MPI_UNDEFINED;
        MPI_Request h[2];
        MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Isend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        assert(which == 0); /*@*/
        MPI_Wait(&h[1 - which], MPI_STATUS_IGNORE);
    } else {
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
