/* DAMPI-TEST
 *   np: 3
 *   options: --livelock-limit 1.5
 *   expect: livelock
 *   interleavings: 1
 * All ranks test receives from each other before they send. Twin: all_poll_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, token = 0, flag = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD, &request);
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Send(&token, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
