/* DAMPI-TEST
 *   np: 3
 *   expect: argument/ready
 *   interleavings: 2
 *   where: rsend_other_receive.c:@
 * A receive that fits is posted before the ready send is called; but if another message takes it first, the ready send
 * meets the next one, of which nobody knows whether it is posted. Twin: rsend_posted.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Rsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /*@*/
        } else {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
