/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0=0}
 * Once the program has been told that a receive is complete, cancelling it has no effect and is no choice.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0, cancelled = 1;
    if (rank == 0) {
        MPI_Request h;
        MPI_Status status;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        while (!flag) MPI_Request_get_status(h, &flag, MPI_STATUS_IGNORE);
        MPI_Cancel(&h);
        MPI_Wait(&h, &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(!cancelled && got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
