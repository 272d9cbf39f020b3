/* DAMPI-TEST
 *   np: 3
 *   expect: leak/message
 *   options: --buffering both
 *   where: lost_message_waits.c:@
 *   interleavings: 2
 *   findings: 1
 * Ranks 1 and 2 send each other what nobody receives: without buffers both wait for ever. That is one finding.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        MPI_Request request;
        MPI_Isend(&rank, 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, &request); /*@*/
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
