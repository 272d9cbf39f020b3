/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 2
 *   outcomes: {2#0<-0} {2#0<-1}
 * Rank 2 receives into its window while rank 0 puts there, but only if rank 1 has come first.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, memory = 0, value = 1, spare;
    MPI_Win window;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    if (rank < 2) {
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(status.MPI_SOURCE == 1 ? &memory : &spare, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
