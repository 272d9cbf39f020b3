/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * MPI_Startall starts two wildcard receives at once, in the order of the array; the senders are persistent too.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request h[2];
    MPI_Status s[2];
    if (rank == 0) {
        int got[2] = {0, 0};
        for (int i = 0; i < 2; i++) MPI_Recv_init(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[i]);
        MPI_Startall(2, h);
        MPI_Waitall(2, h, s);
        assert(got[0] + got[1] == 3 && got[0] == s[0].MPI_SOURCE && got[1] == s[1].MPI_SOURCE);
        MPI_Request_free(&h[0]);
        MPI_Request_free(&h[1]);
    } else {
        MPI_Send_init(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Start(&h[0]);
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&h[0]);
    }
    MPI_Finalize();
    return 0;
}
