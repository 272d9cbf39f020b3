/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {2#0<-0 2#1<-1 2#2<-3} {2#0<-1 2#1<-0 2#2<-3} {2#0<-1 2#1<-3 2#2<-0}
 * ssend_order with messages that need no synchronous mode to wait for their receive: rank 3's message never comes
 * before rank 1's. Twin with nonblocking calls: issend_large_pending.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { length = 1 << 18 };

int main(void) {
    static int data[length];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int token = 0;
    data[length - 1] = rank;
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Ssend(data, length, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        int place[4] = {-1, -1, -1, -1};
        for (int i = 0; i < 3; i++) {
            MPI_Status s;
            MPI_Recv(data, length, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
            place[s.MPI_SOURCE] = i;
            assert(s.MPI_SOURCE != 1 || data[length - 1] == 1);
        }
        assert(place[0] >= 0 && place[1] >= 0 && place[1] < place[3]);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
