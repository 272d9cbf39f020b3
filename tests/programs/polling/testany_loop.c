/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0 0#1=1} {0#0=1 0#1=0}
 * Each sequence of MPI_Testany is an epoch, also with one request left.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[2] = {0, 0};
        MPI_Request h[2];
        MPI_Irecv(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        for (int i = 0; i < 2; i++) {
            int which = MPI_UNDEFINED, flag = 0;
            while (!flag) MPI_Testany(2, h, &which, &flag, MPI_STATUS_IGNORE);
            assert(got[which] == which + 1 && h[which] == MPI_REQUEST_NULL);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
