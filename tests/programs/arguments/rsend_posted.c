/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Ready sends in all forms, of senders who know that the receive is posted: by a message, by one of a third rank, by a
 * collective in which data flows that way. Twins: rsend_unposted, rsend_other_receive.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { messages = 5 };

int main(void) {
    int rank, got[messages] = {0}, nothing = 0, sum = 0;
    MPI_Request h[messages];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < messages; i++) MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &h[i]);
        MPI_Send(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
        MPI_Waitall(2, h, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 2, 9, MPI_COMM_WORLD);
        MPI_Waitall(messages - 2, h + 2, MPI_STATUSES_IGNORE);
        for (int i = 0; i < messages; i++) assert(got[i] == 1);
        MPI_Irecv(got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, h);
        MPI_Reduce(&nothing, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
        MPI_Wait(h, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Rsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Irsend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, h);
        MPI_Wait(h, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 2; i < messages; i++) {
            MPI_Rsend_init(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD, h);
            MPI_Start(h);
            MPI_Wait(h, MPI_STATUS_IGNORE);
            MPI_Request_free(h);
        }
        MPI_Reduce(&nothing, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
        MPI_Rsend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
        MPI_Reduce(&nothing, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
