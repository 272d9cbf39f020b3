/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Two pending wildcards completed together.
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
        MPI_Request h[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status s[3];
        MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[2]);
        MPI_Waitall(3, h, s);
        assert(got[0] + got[1] == 3 && s[0].MPI_SOURCE == got[0] && s[2].MPI_SOURCE == got[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
