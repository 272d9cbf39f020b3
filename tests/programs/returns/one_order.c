/* DAMPI-TEST
 *   np: 3
 *   expect: exit
 *   findings: 1
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: one_order.c:@
 * Main returns 3 from one of two places that do, and only when rank 2 came first. Twin: exit_one_order_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int rank, first = 0, second = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(first + second == 3 && first == status.MPI_SOURCE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    for (int i = 0; i < 3; ++i) {
        printf("%d\n", first);
    }
    if (first > 2) {
        return 3;
    }
    if (first == 2) {
        puts("2 came first");
        return 3; /*@*/
    }
    return EXIT_SUCCESS;
}
