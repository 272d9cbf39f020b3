/* Rank 0 puts into rank 1's window under a lock; rank 1 broadcasts what is there. Then rank 1 sends it to rank 0, which
 * puts there again: by then it has been read. At last it is received there, after a barrier. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, memory = 0, value = 1;
    MPI_Win window;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    }
    if (!WRONG) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(rank == 1 ? &memory : &value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        if (rank == 1) MPI_Send(&memory, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
            MPI_Win_unlock(1, window);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Irecv(&memory, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
