/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   interleavings: 1
 * Either the message or the cancellation comes first, and with MPI itself only one of it can be brought about: the
 * result must say so. With the centralized engine both can: cancel_either.
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
        MPI_Cancel(&h);
        MPI_Wait(&h, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (cancelled) MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
