/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: request/freed
 *   interleavings: 1
 * A later message of the same sender tells that the earlier one is there: before the request is freed, or after that.
 */
#include "freed_receive.h"

int main(void) {
    begin();
    for (int freed_first = 0; freed_first < 2; freed_first++) {
        if (rank == 0) {
            send_both();
            receive_answer();
            continue;
        }
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        if (freed_first) {
            MPI_Request_free(&request);
            receive_second();
        } else {
            receive_second();
            MPI_Request_free(&request);
        }
        MPI_Send(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
