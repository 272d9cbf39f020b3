/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#0<-0 1#1<-2}
 * The crooked barrier made straight: the wait stands before the barrier. Twin: crooked_barrier.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, x = 0, y = 0, mine;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        mine = 22;
        MPI_Isend(&mine, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(x + y == 55);
        assert(x != 33);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        mine = 33;
        MPI_Isend(&mine, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
