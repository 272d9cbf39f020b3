/* DAMPI-TEST
 *   np: 3
 *   expect: argument/buffer
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   where: room.c:@
 * With rank 2 first, a receive says that there is room for one more than there is; no message is as long. Twin:
 * room_ok.
 */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int* values = malloc(3 * sizeof(int));
        MPI_Status status;
        MPI_Request request;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Irecv(values, 2 + status.MPI_SOURCE, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &request); /*@*/
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(values);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
