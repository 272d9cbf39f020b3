/* Shared by each_run and each_run_ok. */
#include <mpi.h>
#include <stdlib.h>

static volatile int seen;
static int data[4]; /* clang does not watch such a one on the stack */

int main(void) {
    int rank, got;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Irecv(data, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        if (WRONG) seen = data[1];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        seen = data[1];
    }
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        for (int i = 0; i < 3; ++i) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
