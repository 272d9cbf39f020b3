/* DAMPI-TEST
 *   np: 3
 *   expect: argument/displacement
 *   central: refused MPI_Get
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: beyond_in_one_order.c:@
 * Only if the message of rank 2 comes first, a number is put behind the end of the memory. Twin:
 * beyond_in_one_order_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(results, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(results + 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(results + 2, 1, MPI_INT, 1, 6 + results[0], 1, MPI_INT, win); /*@*/
    }
    MPI_Win_fence(0, win);
    return finish();
}
