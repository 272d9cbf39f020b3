/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --no-message-leaks
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1}
 * The ANY_TAG receive takes rank 1's second message and has matched before the third receive completes; rank 2's
 * message comes after that and matches nothing.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = 0, b = 0, c = 0, go = 0;
    if (rank == 0) {
        MPI_Request h[2];
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &h[1]);
        MPI_Recv(&c, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&go, 1, MPI_INT, 2, 100, MPI_COMM_WORLD);
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        MPI_Wait(&h[1], MPI_STATUS_IGNORE);
        assert(a == 11 && b == 12 && c == 13);
    } else if (rank == 1) {
        a = 11, b = 12, c = 13;
        MPI_Send(&a, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Send(&b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Send(&c, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&go, 1, MPI_INT, 0, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
