/* DAMPI-TEST
 *   np: 2
 *   expect: argument/communicator
 *   findings: 1
 *   interleavings: 1
 *   outcomes: {}
 *   where: kept_communicator.c:@
 * A receive on a communicator that is freed, which a persistent send has still, so that MPICH takes it. Twin:
 * kept_communicator_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, sent = 1, received = 0;
    MPI_Comm twin, name;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    name = twin;
    MPI_Send_init(&sent, 1, MPI_INT, 1 - rank, 0, twin, &request);
    MPI_Comm_free(&twin);
    MPI_Start(&request);
    MPI_Recv(&received, 1, MPI_INT, 1 - rank, 0, name, MPI_STATUS_IGNORE); /*@*/
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
