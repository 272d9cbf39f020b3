/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE wherever a status could be asked for.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* through a variable, because the compiler takes the constant for an array without room */
    MPI_Status* volatile none = MPI_STATUSES_IGNORE;
    int a = 0, b = 0;
    if (rank == 0) {
        MPI_Request h[2];
        MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitall(2, h, none);
        assert(a + b == 3);
    } else {
        MPI_Request h;
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&rank, 1, MPI_INT, 3 - rank, 1, &a, 1, MPI_INT, 3 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(a == 3 - rank);
    }
    MPI_Finalize();
    return 0;
}
