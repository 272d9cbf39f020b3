/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {0#0<-1 0#1<-2 0#2=0} {0#0<-1 0#1<-2 0#2=1} {0#0<-2 0#1<-1 0#2=0} {0#0<-2 0#1<-1 0#2=1}
 * Two started wildcard receives: who sends to which, and which is reported first, are independent.
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
        for (int i = 0; i < 2; i++) MPI_Recv_init(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[i]);
        MPI_Startall(2, h);
        for (int i = 0; i < 2; i++) {
            int which = MPI_UNDEFINED;
            MPI_Status status;
            MPI_Waitany(2, h, &which, &status);
            assert(got[which] == status.MPI_SOURCE);
        }
        assert(got[0] + got[1] == 3);
        MPI_Request_free(&h[0]);
        MPI_Request_free(&h[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
