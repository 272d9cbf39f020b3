/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Large messages whose receives are posted long before they are waited for: the receiver has begun to take them in and
 * computes meanwhile, and their senders may go on without it. Rank 1's second message comes after its first one has
 * been received, so it has no alternative.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    static int data[3][30000];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(data[i], 30000, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[i]);
        }
        usleep(300000);
        MPI_Waitall(2, requests, statuses);
        MPI_Recv(data[2], 30000, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(data[0], 30000, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(data[0], 30000, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
