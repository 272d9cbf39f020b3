/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * As assertion_in_one_order, with an assertion that holds.
 */
#include "windows.h"

int main(void) {
    begin();
    int from_2_first = 0;
    if (rank == 0) {
        MPI_Recv(results, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(results + 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        from_2_first = results[0] == 2;
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(&from_2_first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(values, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Win_fence(from_2_first ? MPI_MODE_NOSTORE : 0, win);
    MPI_Win_fence(0, win);
    return finish();
}
