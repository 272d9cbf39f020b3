/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {2#0<-0 2#1<-3} {2#0<-3 2#1<-0}
 * A large synchronous message is received by a receive that names its source, while a wildcard that was posted before
 * still waits: this one's match does not follow from that, so rank 3's message may come first. Twin with blocking
 * calls: ssend_named.
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
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Request h;
        data[length - 1] = rank;
        MPI_Issend(data, length, MPI_INT, 2, 1, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Request h[3];
        MPI_Status s[3];
        int first = -1, last = -1;
        MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(data, length, MPI_INT, 1, 1, MPI_COMM_WORLD, &h[1]);
        MPI_Irecv(&last, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[2]);
        MPI_Waitall(3, h, s);
        assert(data[length - 1] == 1 && first + last == 3 && first * last == 0);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
