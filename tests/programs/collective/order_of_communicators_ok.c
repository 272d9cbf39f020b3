/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Barriers on two communicators: one order where they block, any order where they do not.
 * Twin: order_of_communicators.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm a, b;
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &b);
    if (rank == 0) {
        MPI_Barrier(a);
        MPI_Barrier(b);
        MPI_Ibarrier(a, &requests[0]);
        MPI_Ibarrier(b, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 2) {
        MPI_Barrier(a);
        MPI_Barrier(b);
        MPI_Ibarrier(b, &requests[1]);
        MPI_Ibarrier(a, &requests[0]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(a);
        MPI_Ibarrier(a, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&a);
    if (rank != 1) MPI_Comm_free(&b);
    MPI_Finalize();
    return 0;
}
