/* DAMPI-TEST
 *   np: 3
 *   expect: type/message
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first do the types of its message and of the receive disagree: the bytes of rank 1 agree with
 * both receives. Twin: message_one_order_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    union {
        int number[2];
        float real[2];
    } data = {{1, 1}};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&data, 2, MPI_FLOAT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&data, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&data, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
