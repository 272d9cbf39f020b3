/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Each start of a persistent wildcard receive is an epoch of its own.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got = 0, sum = 0;
        MPI_Request h;
        MPI_Recv_init(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        for (int i = 0; i < 2; i++) {
            MPI_Status status;
            MPI_Start(&h);
            MPI_Wait(&h, &status);
            assert(got == status.MPI_SOURCE && h != MPI_REQUEST_NULL);
            sum += got;
        }
        MPI_Request_free(&h);
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
