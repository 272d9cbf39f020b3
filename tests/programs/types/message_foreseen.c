/* DAMPI-TEST
 *   np: 3
 *   expect: type/message, incomplete
 *   interleavings: 1
 *   options: --buffering native --max-interleavings 1
 *   where: message_foreseen.c:@
 * Only one interleaving is run. Rank 2 waits, so that the message of rank 1 comes first and all types agree; but the
 * receive could have taken that of rank 2, and this is found all the same. Twin: message_one_order_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, number = 1;
    float real = 2;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
        MPI_Recv(&real, 4, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        usleep(100000);
        MPI_Send(&real, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
