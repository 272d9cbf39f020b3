/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: exit_place.c:@
 * Rank 1 gives up deep in the program: it is told where.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

static int check(int value) {
    if (value == 1) exit(4); /*@*/
    return value;
}

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank = check(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
