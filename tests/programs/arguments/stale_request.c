/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   findings: 1
 *   interleavings: 1
 *   where: stale_request.c:@
 * MPICH gives sends that end at once one and the same handle, and takes a second name of one that has ended for another
 * one that has not: then it gives up in a later call, or counts them wrongly. That is no second finding. Twin:
 * requests_used_again.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Request copy, requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < 2; i++) {
            copy = requests[i];
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            MPI_Wait(&copy, MPI_STATUS_IGNORE); /*@*/
            MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 4; i++) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
