/* DAMPI-TEST
 *   np: 3
 *   expect: abort
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0@1<-2}
 *   where: polls_in_turn.c:@
 * The program asks for two things in turn, as often as it takes: that is one operation, and either of them can come
 * first. It does not expect the second one to. Twin: polls_in_turn_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0, other = 0, flag = 0, seen = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        while (!flag && !seen) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            if (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE);
        }
        if (seen) MPI_Abort(MPI_COMM_WORLD, 3); /*@*/
        MPI_Recv(&other, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
