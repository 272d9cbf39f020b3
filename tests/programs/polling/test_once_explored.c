/* DAMPI-TEST
 *   np: 2
 *   expect: crash
 *   options: --explore-polls 1
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=none~1}
 *   where: test_once_explored.c:@
 * The program believes that the message is there at once.
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
        assert(flag); /*@*/
        assert(got == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
