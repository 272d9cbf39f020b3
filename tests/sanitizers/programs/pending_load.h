/* Shared by pending_load and pending_load_ok. */
#include <mpi.h>
#include <stdlib.h>

static volatile int seen;

int main(void) {
    int rank;
    static int data[200]; /* clang does not watch such a one on the stack */
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            MPI_Status status;
            int first;
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            MPI_Irecv(data, 200, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &request);
            if (WRONG && i == 0 && first == 2) {
                seen = data[150];
            }
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            seen = data[150];
            data[150] = 0;
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Isend(data, 200, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        seen = data[150]; /* reading what is sent is no fault */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[150] = 1;
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
