/* A receive into a window is pending from before the first fence until behind the second; with WRONG somebody puts
 * where it receives. */
#include "windows.h"

int main(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    begin();
    if (rank == 1) MPI_Irecv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(values, 4, MPI_INT, 1, WRONG ? 3 : 4, 4, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0) MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
