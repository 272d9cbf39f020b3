/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --ignore-brackets
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The program wants only one match explored, but dampi-run is told not to listen.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Pcontrol(1);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Pcontrol(0);
    MPI_Finalize();
    return 0;
}
