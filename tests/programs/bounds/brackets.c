/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2 0#2<-1 0#3<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-1}
 * Brackets of MPI_Pcontrol around receives that have no alternatives: nothing is left out, so the result is complete.
 * Each is closed where it was opened. Twin: brackets_unbalanced.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += got;
        }
        assert(sum == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    assert(MPI_Pcontrol(1) == MPI_SUCCESS);
    for (int i = 0; i < 2; i++) {
        MPI_Pcontrol(3, "region", i);
        if (rank == 0) MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Pcontrol(0);
    }
    MPI_Pcontrol(0);
    MPI_Finalize();
    return 0;
}
