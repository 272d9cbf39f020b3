/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {0#0<-2 0#1<-3 1#0<-2 1#1<-3} {0#0<-2 0#1<-3 1#0<-3 1#1<-2} {0#0<-3 0#1<-2 1#0<-2 1#1<-3}
 *     {0#0<-3 0#1<-2 1#0<-3 1#1<-2}
 * Two ranks with two independent wildcards each: 2 x 2 orders.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        int a = 0, b = 0;
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 5 && a != b);
    } else {
        for (int to = 0; to < 2; to++) MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
