/* DAMPI-TEST
 *   np: 2
 *   options: --real-time --livelock-limit 1.5
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 works between probes for longer than the limit, and then sends what rank 1 waits for. Incomplete, since it
 * does not wait for an answer. Twin: iprobe_for_ever.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 20000 && !flag; ++i) {
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            usleep(100);
        }
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
