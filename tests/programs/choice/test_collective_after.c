/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   options: --explore-polls 1
 * Rank 0 enters the barrier after a message that rank 1 sends behind polling calls, which can therefore answer nothing
 * but "not yet", however often they are asked.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, flag = 0, number = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request barrier;
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        MPI_Test(&barrier, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
        MPI_Request_get_status(barrier, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
