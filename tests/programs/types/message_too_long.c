/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   findings: 1
 *   interleavings: 1
 *   where: message_too_long.c:@
 * As many numbers, but of a larger type: that the message is too long as well is no second finding. Twin: message_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[4] = {0};
    double numbers[4] = {0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
    }
    MPI_Finalize();
    return 0;
}
