/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank
 *   interleavings: 1
 *   where: invalid_rank.c:@
 * A send to a rank that does not exist, under the default error handler: MPI ends the program. Twin: invalid_rank_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); /*@*/
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
