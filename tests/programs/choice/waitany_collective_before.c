/* DAMPI-TEST
 *   np: 2
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {1#0=0} {1#0=1}
 * Rank 0 enters the barrier before it needs anything of rank 1's but the first message, so the MPI_Waitany may report
 * the barrier, for which rank 1 is not prepared. Twin: waitany_collective_needs.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int number = 1, which = MPI_UNDEFINED;
    MPI_Request h[2];
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &h[0]);
        MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &h[0]);
        MPI_Isend(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
        if (which != 1) {
            abort();
        }
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&h[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
