/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {0#0=0 0#1=0} {0#0=0 0#1=1} {0#0=1 0#1=0} {0#0=1 0#1=1}
 * Persistent receives, two rounds.
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
        MPI_Recv_init(&got[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Recv_init(&got[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        for (int round = 0; round < 2; round++) {
            got[0] = got[1] = 0;
            MPI_Startall(2, h);
            for (int i = 0; i < 2; i++) {
                int which = MPI_UNDEFINED;
                MPI_Status status;
                MPI_Waitany(2, h, &which, &status);
                assert(got[which] == which + 1 && status.MPI_SOURCE == which + 1);
            }
        }
        MPI_Request_free(&h[0]);
        MPI_Request_free(&h[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
