/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#0<-0 1#1<-0}
 * Figure 3.3: the pending receive must have matched before the later one, long before its wait, because messages
 * of one sender do not overtake one another.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request h;
    int a = 1, b = 2;
    if (rank == 0) {
        MPI_Isend(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        a = b = 0;
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(b == 2);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(a == 1);
    }
    MPI_Finalize();
    return 0;
}
