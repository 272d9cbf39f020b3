/* DAMPI-TEST
 *   np: 3
 *   options: --livelock-limit 1.5
 *   expect: divergence
 * Rank 1 waits outside MPI until its message was received, and polls meanwhile. In the run in which the message that
 * rank 2 sends after that is to come first, rank 1 polls for ever, where it went on before, and the others wait: that
 * is no livelock of the program.
 */
#define _GNU_SOURCE
#include "ordered_outside.h"

int main(void) {
    int rank, got, flag = 0;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    volatile int* first_is_here = shared_word();
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2) MPI_Abort(MPI_COMM_WORLD, 1);
        *first_is_here = 1;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        do {
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        } while (!*first_is_here);
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
