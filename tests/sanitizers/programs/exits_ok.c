/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Rank 0 goes on. Twin of exits.
 */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; ++i) {
            MPI_Status status;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            if (i == 0 && status.MPI_SOURCE == 2) {
                got = 0;
            }
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
