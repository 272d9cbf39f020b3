/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --engine central
 *   interleavings: 2
 *   outcomes: {0#0=none} {0#0=0}
 * Either the message or the cancellation comes first: both are explored, also where the message is there before, which
 * goes to the next receive then. With MPI itself only what happens is known: cancel_raced.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, cancelled = 0;
    if (rank == 0) {
        MPI_Request h;
        MPI_Status status;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* by then the other one is there, too */
        MPI_Cancel(&h);
        MPI_Wait(&h, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (cancelled) MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
