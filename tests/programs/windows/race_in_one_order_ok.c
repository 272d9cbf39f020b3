/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * As race_in_one_order, with a place of its own for whoever comes first.
 */
#include "windows.h"

int main(void) {
    begin();
    int first = 0;
    MPI_Win_fence(0, win);
    if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(results, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&first, 1, MPI_INT, 1, first, 1, MPI_INT, win);
    } else if (rank == 2) {
        MPI_Put(values, 2, MPI_INT, 1, 3, 2, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    return finish();
}
