/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Persistent requests outlive the name of their communicator, and others are made meanwhile. Twin of
 * kept_communicator.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, sent = 1, received = 0;
    MPI_Comm twin;
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Send_init(&sent, 1, MPI_INT, 1 - rank, 0, twin, &requests[0]);
        MPI_Recv_init(&received, 1, MPI_INT, 1 - rank, 0, twin, &requests[1]);
        MPI_Comm_free(&twin);
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(twin);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
        MPI_Comm_free(&twin);
        MPI_Comm_dup(MPI_COMM_WORLD, &twin);
        MPI_Barrier(twin);
        MPI_Comm_free(&twin);
    }
    MPI_Finalize();
    return 0;
}
