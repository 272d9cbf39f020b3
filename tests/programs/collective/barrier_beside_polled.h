/* Shared by barrier_beside_polled and barrier_beside_polled_ok. */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, over = 0;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (WRONG && rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        while (!over) {
            MPI_Test(&request, &over, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
