/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1.5
 *   expect: livelock
 *   interleavings: 1
 * Rank 0 probes for a message that nobody sends, and rank 1 waits for rank 0. Twin: iprobe_for_ever_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag) {
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
