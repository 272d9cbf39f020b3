/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-2}
 * The named receive is posted first: by the rule of non-overtaking it gets the only message of rank 1.
 * Twin: waitall_wildcard.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int any = 0, one = 0;
        MPI_Request h[2];
        MPI_Status s[2];
        MPI_Irecv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitall(2, h, s);
        assert(any == 2 && one == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
