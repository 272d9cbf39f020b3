/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1 1#0=1}
 * Rank 0 polls for the message that rank 1 sends behind its MPI_Waitany, and enters the barrier after it: so the
 * MPI_Waitany can only report the send, and nobody polls for ever.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, word = 0, flag = 0, which = MPI_UNDEFINED;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request h[2];
    if (rank == 0) {
        while (!flag) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &h[0]);
    if (rank == 1) {
        MPI_Issend(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        assert(which == 1);
        MPI_Ssend(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 2) MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&h[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
