/* DAMPI-TEST
 *   np: 3
 *   options: --explore-polls 0
 *   expect: crash, incomplete
 *   interleavings: 1
 * Rank 0 relies on rank 1 sending first, which sleeps for longer than rank 2. Twin: sleeps_in_order_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Iprobe(2, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        sleep(rank == 1 ? 7200 : 3600);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
