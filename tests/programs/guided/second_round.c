/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 3
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1 0#2<-1 0#3<-2} {0#0<-2 0#1<-1 0#2<-2 0#3<-1}
 *   where: second_round.c:@
 * The number of epochs depends on earlier outcomes: only the order 2, 1 leads to a second round, and only the
 * order 2, 1 in that round fails. Twin: second_round_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int again = 0;
    if (rank == 0) {
        int first = 0, second = 0;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        again = first == 2;
        for (int to = 1; to <= 2; to++) MPI_Send(&again, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
        if (again) {
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        assert(first < second); /*@*/
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&again, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (again) MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
