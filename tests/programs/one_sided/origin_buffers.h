/* Rank 0 accesses rank 1's window, and uses the access's memory of its own for messages only once the access is
 * complete. With WRONG 1 it sends what a pending MPI_Get fills, with WRONG 2 it puts what a pending receive fills, with
 * WRONG 3 it puts more than it says that the target has room for. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, window[4] = {0}, numbers[4] = {0}, other = 0;
    MPI_Win win;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(numbers, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Send(WRONG == 1 ? numbers : numbers + 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Irecv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Put(WRONG == 2 ? &other : numbers + 2, WRONG == 3 ? 2 : 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    } else {
        MPI_Recv(&other, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Send(&other, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Now both are complete: the same memory may be used again, also once the window is gone. */
    if (rank == 0) MPI_Put(&other, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Send(numbers, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&other, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Bcast(&other, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Bcast(numbers, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
