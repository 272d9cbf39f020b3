/* DAMPI-TEST
 *   np: 2
 *   options: --virtual-time --livelock-limit 600
 *   expect: livelock
 *   interleavings: 1
 * Rank 0 polls for what nobody sends, and does nothing else: in virtual time that is certain at once. Twin:
 * polls_and_sleeps_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag) MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
