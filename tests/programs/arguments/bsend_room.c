/* DAMPI-TEST
 *   np: 2
 *   expect: argument/buffer
 *   interleavings: 1
 *   where: bsend_room.c:@
 * There is room for one message. Nothing makes sure that it has been received when the second one is sent, though it
 * may be. The run goes on all the same, whatever the library says. Twin: bsend_room_ok.
 */
#include <mpi.h>
#include <stddef.h>

enum { size = 200000 };

int main(void) {
    static char room[size + MPI_BSEND_OVERHEAD], data[size];
    int rank, detached;
    void* buffer;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        MPI_Bsend(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD); /*@*/
        MPI_Buffer_detach(&buffer, &detached);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(data, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
