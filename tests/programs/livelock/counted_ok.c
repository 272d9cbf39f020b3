/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: possible-livelock
 *   interleavings: 1
 * Rank 0 polls for a message of rank 1, which polls for an answer a fixed number of times before it sends: more often
 * than it can within the limit. That it would never stop is not certain.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, answer = 0, flag = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const MPI_Comm w = MPI_COMM_WORLD;
    if (rank == 0) {
        while (!flag) MPI_Iprobe(1, 0, w, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, w, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 1, w);
    } else {
        MPI_Irecv(&answer, 1, MPI_INT, 0, 1, w, &request);
        for (int i = 0; i < 2000000000 && !flag; i++) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, w);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
