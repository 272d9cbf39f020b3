/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 3
 *   outcomes: {2#0<-0 2#1<-1 2#2<-3} {2#0<-1 2#1<-0 2#2<-3} {2#0<-1 2#1<-3 2#2<-0}
 * A nonblocking synchronous send is complete only when it is received: what follows its wait follows that receive.
 * Twin: issend_no_wait.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got[3] = {-1, -1, -1}, token = 0;
    if (rank == 0) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Request h;
        MPI_Issend(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            MPI_Recv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += 1 << got[i];
        }
        assert(sum == 1 + 2 + 8);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
