/* DAMPI-TEST
 *   np: 2
 *   options: --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 polls for long before it tells rank 1 to send what it polls for: no livelock, though each such call takes its
 * time where the rank has to ask.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int polls = 0; polls < 300000 && !flag; ++polls) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
