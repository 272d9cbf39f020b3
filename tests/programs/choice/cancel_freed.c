/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   interleavings: 1
 * Nobody waits for the cancelled receive: its request is freed. Whether the first message or the cancellation came
 * first shows all the same, in which message the next receive gets. Twin: cancel_freed_ok.
 */
#include <assert.h>
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
        MPI_Irecv(&lost, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
        MPI_Cancel(&h);
        MPI_Request_free(&h);
        while (got != 2) MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
