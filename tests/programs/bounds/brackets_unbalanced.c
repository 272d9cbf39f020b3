/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   notes: pcontrol/unbalanced
 *   interleavings: 1
 *   outcomes: {0#0<-1}
 * A bracket that is closed but was never opened, and one that is never closed: this is noted, but it is no violation,
 * and the exit status does not tell. Twin: brackets.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Pcontrol(0);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Pcontrol(1);
    MPI_Finalize();
    return 0;
}
