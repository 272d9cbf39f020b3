/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=none~1} {0#0=0}
 *   options: --explore-polls 1
 * The sender computes for longer than the tool waits before MPI_Test says no. What follows from a yes is explored
 * all the same.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, got = -1, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request h;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Test(&h, &flag, MPI_STATUS_IGNORE);
        if (!flag) MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else {
        usleep(500000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
