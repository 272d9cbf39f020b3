/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   where: large_count_wildcard.c:@
 * The functions for large counts match like the others, and with them.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got = -1;
        MPI_Status status;
        MPI_Count count = 0;
        MPI_Recv_c(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count_c(&status, MPI_INT, &count);
        assert(count == 1 && status.MPI_SOURCE == got);
        assert(got == 1); /*@*/
        MPI_Recv_c(&got, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send_c(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
