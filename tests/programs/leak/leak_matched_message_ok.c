/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The messages are received, by MPI_Mrecv and by MPI_Imrecv. Twin: leak_matched_message.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[2] = {0, 0};
        MPI_Message first, second;
        MPI_Request request;
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[1], 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        MPI_Imrecv(&got[0], 1, MPI_INT, &first, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(got[0] == 5 && got[1] == 6);
    } else {
        for (int value = 5; value < 7; value++) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
