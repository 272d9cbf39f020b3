/* DAMPI-TEST
 *   np: 3
 *   expect: divergence
 *   options: --no-message-leaks
 *   interleavings: 2
 * In its second run nobody has anything to say: the message that is forced never comes. That is no deadlock of the
 * program, although rank 0 waits for ever, and not dampi's fault: the sender has come to MPI_Finalize without sending
 * it, though everything is as it was decided.
 */
#include "run_number.h"

#include <mpi.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int messages = run_number() == 1 ? 1 : 0;
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (messages == 1) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (messages == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
