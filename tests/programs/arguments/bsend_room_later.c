/* DAMPI-TEST
 *   np: 2
 *   expect: argument/buffer
 *   interleavings: 1
 *   where: bsend_room_later.c:@
 * The answer says that the small message was received, not the one before it: that one has another tag. So a persistent
 * send finds no room. Twin: bsend_room_ok.
 */
#include <mpi.h>
#include <stddef.h>

enum { size = 1000 };

int main(void) {
    static char room[size + 2 * MPI_BSEND_OVERHEAD], data[size];
    int rank, detached;
    void* buffer;
    MPI_Request h;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Ibsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Bsend(data, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(data, 0, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bsend_init(data, size, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &h);
        MPI_Start(&h); /*@*/
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Request_free(&h);
        MPI_Buffer_detach(&buffer, &detached);
    } else {
        static char first[size];
        MPI_Recv(data, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 0, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
        MPI_Recv(first, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, size, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
