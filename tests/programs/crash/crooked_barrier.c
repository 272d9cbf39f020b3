/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {1#0<-0 1#1<-2} {1#0<-2 1#1<-0}
 *   where: crooked_barrier.c:@
 * Figures 1.1, 3.2, 4.2 and 5.2: the pending receive can match a message sent only after the barrier, because nothing
 * obliges it to match before its wait. Twin: crooked_barrier_ok.
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
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(x + y == 55);
        assert(x != 33); /*@*/
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        mine = 33;
        MPI_Isend(&mine, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
