/* DAMPI-TEST
 *   np: 2
 *   expect: leak/message
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_matched_message.c:@
 * MPI_Mprobe takes a message, and nobody receives it. Twin: leak_matched_message_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Message message;
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /*@*/
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
