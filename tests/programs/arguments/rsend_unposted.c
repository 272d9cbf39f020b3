/* DAMPI-TEST
 *   np: 2
 *   expect: argument/ready
 *   interleavings: 1
 *   where: rsend_unposted.c:@
 * A ready send may be called only when its receive is posted (MPI 3.4). Here it often is, but nothing makes sure of it.
 * Twin: rsend_posted.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Rsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /*@*/
    }
    MPI_Finalize();
    return 0;
}
