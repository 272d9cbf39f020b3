/* Rank 0 gets a number and passes it on while it has the request still: where rank 1 came first, it knows that the
 * request is complete; else it flushes first, unless WRONG is 1. */
#include "windows.h"

int main(void) {
    begin();
    MPI_Request request;
    MPI_Status status;
    int number = 0, flag = 0;
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Rget(results, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        if (status.MPI_SOURCE == 2 && !WRONG) MPI_Win_flush_local(1, win);
        if (status.MPI_SOURCE == 1) {
            while (flag == 0) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Send(results, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /*@*/
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Rput(results, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        results[0] = 5;
        MPI_Win_unlock(1, win);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
