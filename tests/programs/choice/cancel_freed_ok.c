/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#1=none}
 * The messages are sent by someone who knows that MPI_Cancel has been called: none of them can have raced with it, also
 * where nobody waits for the request. Twin: cancel_freed.
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
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 1; i <= 2; i++) MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int got = 0;
        MPI_Request h;
        MPI_Irecv(&lost, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h);
        MPI_Cancel(&h);
        MPI_Request_free(&h);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 1; i <= 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(got == i);
        }
    }
    MPI_Finalize();
    return 0;
}
