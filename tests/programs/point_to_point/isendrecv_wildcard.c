/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   where: isendrecv_wildcard.c:@
 * The receiving half of MPI_Isendrecv is a wildcard receive like others.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = -1, other = -1;
    MPI_Request h;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isendrecv(&rank, 1, MPI_INT, 1, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, &status);
        assert(status.MPI_SOURCE == got);
        MPI_Recv(&other, 1, MPI_INT, 3 - got, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got + other == 3);
        assert(got == 1); /*@*/
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
