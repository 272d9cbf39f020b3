/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   where: mismatch_persistent_root.c:@
 *   findings: 1
 * A persistent broadcast of two roots beside a reduction: it is told once, where it is made, and that a rank which
 * waits for ever in it keeps the other waiting in the reduction is none of different orders.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum = 0, shared = rank;
    MPI_Request requests[2];
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(&shared, 1, MPI_INT, rank, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]); /*@*/
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
