/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --explore-polls 1
 *   interleavings: 1
 *   outcomes: {0#0=none~1}
 * The message comes only after the program has turned to something else: MPI_Test must say no at last.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got = -1, flag = 0;
    if (rank == 0) {
        MPI_Request h;
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h);
        MPI_Test(&h, &flag, MPI_STATUS_IGNORE);
        assert(!flag);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
