/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {2#0<-0 2#1<-1 2#2<-3} {2#0<-1 2#1<-0 2#2<-3} {2#0<-1 2#1<-3 2#2<-0}
 * Like ssend_pending with a large message in nonblocking synchronous mode: its sender learns at its wait which of the
 * pending wildcards has taken it, so rank 3's message follows. Twin with blocking calls: ssend_large.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { length = 1 << 18 };

int main(void) {
    static int data[3][length];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int token = 0;
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Request h;
        data[0][length - 1] = rank;
        MPI_Issend(data[0], length, MPI_INT, 2, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Request h[3];
        MPI_Status s[3];
        for (int i = 0; i < 3; i++) MPI_Irecv(data[i], length, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[i]);
        MPI_Waitall(3, h, s);
        int place[4] = {-1, -1, -1, -1};
        for (int i = 0; i < 3; i++) place[s[i].MPI_SOURCE] = i;
        assert(place[0] >= 0 && place[1] >= 0 && place[1] < place[3]);
        assert(data[place[1]][length - 1] == 1);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
