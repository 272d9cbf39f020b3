/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   options: --no-message-leaks
 *   interleavings: 4
 *   outcomes: {0#0<-2 1#0<-2 1#1<-3} {0#0<-2 1#0<-3 1#1<-2} {0#0<-3 1#0<-2 1#1<-3} {0#0<-3 1#0<-3 1#1<-2}
 * Rank 1 starts its wildcards only after rank 0's: choices of two ranks one after the other, 2 x 2.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = 0, b = 0;
    if (rank == 0) {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a == 2 || a == 3);
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 5 && a != b);
    } else {
        for (int to = 0; to < 2; to++) MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
