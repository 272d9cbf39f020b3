/* DAMPI-TEST
 *   np: 3
 *   options: --real-time --livelock-limit 1.5
 *   expect: clean
 *   interleavings: 1
 * One of them sends first, after longer than the limit. Twin: all_poll.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0, token = 0, flag = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        usleep(2500000);
        MPI_Send(&token, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD);
    }
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    if (rank != 0) {
        MPI_Send(&token, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
