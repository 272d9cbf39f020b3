/* Rank 1 packs, unpacks and adds up, all of it in its own memory, while a message is on its way into or out of a part
 * of that memory. With WRONG 1 it packs what is received, with WRONG 2 it unpacks into what is sent. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, received[4] = {0}, sent[4] = {0}, own[4] = {0}, position = 0;
    char packed[64];
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(received, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    if (rank == 1) {
        MPI_Pack(WRONG == 1 ? received + 1 : received + 2, 1, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
        MPI_Pack(sent, 2, MPI_INT, packed, 64, &position, MPI_COMM_WORLD); /* it is only read */
        MPI_Reduce_local(sent, own, 2, MPI_INT, MPI_SUM);
        position = 0;
        MPI_Unpack(packed, 64, &position, WRONG == 2 ? sent + 1 : sent + 2, 1, MPI_INT, MPI_COMM_WORLD);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    position = 0;
    MPI_Pack(received, 2, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
