/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=none~1}
 * The program goes on in another way when MPI_Test says no: that is an outcome, too.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    if (rank == 0) {
        MPI_Request h;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Test(&h, &flag, MPI_STATUS_IGNORE);
        if (!flag) MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
