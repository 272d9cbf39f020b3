/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: order_of_communicators.c:@
 * Two ranks enter the barriers of two communicators in different orders. Twin: order_of_communicators_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm a, b;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &b);
    if (rank == 0) {
        MPI_Barrier(a); /*@*/
        MPI_Barrier(b);
    } else {
        if (rank == 2) MPI_Barrier(b);
        MPI_Barrier(a);
    }
    MPI_Comm_free(&a);
    if (rank != 1) MPI_Comm_free(&b);
    MPI_Finalize();
    return 0;
}
