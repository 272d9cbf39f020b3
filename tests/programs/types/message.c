/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   interleavings: 1
 *   where: message.c:@
 * A number of one type is received as one of another that is as long. Twin: message_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, number = 0;
    float real = 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
    } else {
        MPI_Send(&real, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
