/* Rank 0 puts into rank 1's window between two fences, while rank 1 receives from rank 2: there, or beside it. */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, memory[2] = {0, 0}, value = 1;
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    if (rank == 1) MPI_Recv(&memory[WRONG ? 0 : 1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
