/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Room for one message, and each is known to have been received before the next is sent: by an answer, by one that
 * comes through a third rank, by a barrier, by an answer to a later message, or since the buffer was detached. Messages
 * to nobody need no room. Twin: bsend_room.
 */
#include <mpi.h>
#include <stddef.h>

enum { size = 1000 };

static char data[size];

static void receive(int source, int tag) {
    MPI_Recv(data, size, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void tell(int destination) { MPI_Send(NULL, 0, MPI_CHAR, destination, 9, MPI_COMM_WORLD); }

int main(void) {
    static char room[size + MPI_BSEND_OVERHEAD];
    int rank, detached;
    void* buffer;
    MPI_Request h[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        receive(0, 9);
        MPI_Bsend(data, size, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Bsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        receive(2, 9);
        MPI_Ibsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, h);
        MPI_Wait(h, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        tell(0);
        receive(0, 9);
        MPI_Bsend_init(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, h);
        MPI_Start(h);
        MPI_Wait(h, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&buffer, &detached);
        MPI_Buffer_attach(room, sizeof room);
        MPI_Start(h);
        MPI_Wait(h, MPI_STATUS_IGNORE);
        MPI_Request_free(h);
        MPI_Buffer_detach(&buffer, &detached);
    } else if (rank == 0) {
        static char early[size];
        receive(1, 0);
        tell(1);
        receive(1, 0);
        tell(2);
        receive(1, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        /* The second receive accepts the first message, too: when it is over, the first one has taken that. */
        MPI_Irecv(early, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(data, size, MPI_CHAR, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &h[1]);
        MPI_Wait(&h[1], MPI_STATUS_IGNORE);
        tell(1);
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        receive(1, 0);
        receive(1, 0);
    } else {
        receive(0, 9);
        tell(1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
