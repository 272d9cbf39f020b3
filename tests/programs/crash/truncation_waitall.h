/* Two ranks exchange messages of four integers, with room for `room`. */
#include <mpi.h>
#include <stddef.h>

static void begin(MPI_Request requests[2], int data[8], int room) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(data, room, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data + 4, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
}
