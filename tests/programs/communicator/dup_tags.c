/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1<-2}
 * The same tag on MPI_COMM_WORLD and on its duplicate: the messages must not mix, and each wildcard has one sender
 * only.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    if (rank == 0) {
        int a = 0, b = 0;
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 1, twin, MPI_STATUS_IGNORE);
        assert(a == 1 && b == 2);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, rank == 1 ? MPI_COMM_WORLD : twin);
    }
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
