/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * MPI_Sendrecv and MPI_Sendrecv_replace with a wildcard source are nondeterministic receives as well.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int a = 7, b = 0;
    if (rank == 0) {
        MPI_Sendrecv(&a, 1, MPI_INT, 1, 5, &b, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(&a, 1, MPI_INT, 2, 5, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a + b == 3 && a != b);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
        MPI_Recv(&a, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a == 7);
    }
    MPI_Finalize();
    return 0;
}
