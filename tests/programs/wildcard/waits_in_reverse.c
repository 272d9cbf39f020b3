/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The second of two pending wildcards is waited for first: by non-overtaking the first has matched by then.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int a = 0, b = 0;
        MPI_Request h0, h1;
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h0);
        MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h1);
        MPI_Wait(&h1, MPI_STATUS_IGNORE);
        MPI_Wait(&h0, MPI_STATUS_IGNORE);
        assert(a + b == 3 && a != b);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
