/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#1=none 0#2=none 1#1=none 1#2=none}
 * Receives that nobody serves are cancelled, a named one and a wildcard; an epoch that never matches has no
 * outcome. No message can have raced with them.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = 3, other = 3, cancelled = 0;
    MPI_Request h[2];
    MPI_Status status;
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &h[0]);
    MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &h[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Cancel(&h[i]);
        MPI_Wait(&h[i], &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(cancelled && h[i] == MPI_REQUEST_NULL);
    }
    assert(got == 3 && other == 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* not for the cancelled receive */
    if (rank == 1) {
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Test_cancelled(&status, &cancelled);
        assert(!cancelled && got == 0);
    }
    MPI_Finalize();
    return 0;
}
