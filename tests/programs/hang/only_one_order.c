/* DAMPI-TEST
 *   np: 3
 *   expect: hang, incomplete
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * Rank 0 does not come back to MPI when rank 2 comes first: found without --hang-limit, since the other order ends, and
 * shows how long a run takes. Twin: endless_loop_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        while (status.MPI_SOURCE == 2) pause();
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 2) usleep(100000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
