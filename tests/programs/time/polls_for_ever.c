/* DAMPI-TEST
 *   np: 2
 *   expect: possible-livelock
 *   interleavings: 1
 * Rank 0 looks at the clock between its polls, and makes nothing of it. Nobody knows whether it would not some day: a
 * doubt, after many days. Twin: each_clock_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, flag = 0;
    double last = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag) {
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            last = MPI_Wtime();
        }
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return last < 0;
}
