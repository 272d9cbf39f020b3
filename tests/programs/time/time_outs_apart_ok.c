/* DAMPI-TEST
 *   np: 3
 *   options: --explore-polls 0 --buffering native
 *   expect: incomplete
 * All ranks are servers that poll for anybody's work and take it for done when nothing has come for a while, each after
 * another one: which message one of them takes first must not move another one's time-out. Incomplete, since they give
 * up polling.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, value = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int other = 0; other < size; other++) {
        MPI_Request request;
        if (other == rank) continue;
        MPI_Isend(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    double latest = MPI_Wtime();
    while (MPI_Wtime() < latest + 1 + 2 * rank) {
        int flag = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        if (!flag) continue;
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        latest = MPI_Wtime();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
