/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 4
 *   outcomes: {0#0<-1 0#1<-1 0#2<-2 0#3<-2} {0#0<-1 0#1<-2 0#2<-2 0#3<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-2}
 *     {0#0<-2 0#1<-2 0#2<-1 0#3<-1}
 * The pending receives get their final clocks out of posting order (0, 2, 1, 3), because each blocking receive
 * completes only the pending one of its own tag. Two orders per tag, independent of each other.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int two[2] = {0, 0}, three[2] = {0, 0};
        MPI_Request h0, h1;
        MPI_Irecv(&two[0], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &h0);
        MPI_Irecv(&three[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &h1);
        MPI_Recv(&two[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&three[1], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&h0, MPI_STATUS_IGNORE);
        MPI_Wait(&h1, MPI_STATUS_IGNORE);
        assert(two[0] + two[1] == 12 + 22 && three[0] + three[1] == 13 + 23);
    } else {
        int two = 10 * rank + 2, three = 10 * rank + 3;
        if (rank == 1) MPI_Send(&two, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Send(&three, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        if (rank == 2) MPI_Send(&two, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
