/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock, incomplete
 *   interleavings: 1
 * The run ends in a deadlock before the cancelled receive is waited for; that a message raced with the cancellation is
 * known all the same.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    static int lost;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 1; i <= 2; i++) MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int got = 0;
        MPI_Request h;
        MPI_Irecv(&lost, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Cancel(&h);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
