/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Only the first of two applicants gets an answer: another rank is stuck in each interleaving. Twin: loser_waits_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, go = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status first, second;
        int got;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &first);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &second);
        go = 1;
        MPI_Send(&go, 1, MPI_INT, first.MPI_SOURCE, 2, MPI_COMM_WORLD);
        assert(second.MPI_SOURCE == 3 - first.MPI_SOURCE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    assert(go == 1);
    MPI_Finalize();
    return 0;
}
