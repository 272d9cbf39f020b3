/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   notes: request/freed
 *   findings: 1
 *   interleavings: 1
 *   where: freed_receive.c:@
 * The request of a receive is freed, so that nothing tells when its message is there, and what it receives is sent on
 * at once. Twin: freed_receive_ok.
 */
#include "freed_receive.h"

int main(void) {
    begin();
    if (rank == 0) {
        send_both();
        receive_answer();
    } else {
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Send(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /*@*/
        receive_second();
    }
    MPI_Finalize();
    return 0;
}
