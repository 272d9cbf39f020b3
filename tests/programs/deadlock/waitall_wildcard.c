/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * The wildcard is posted first and may take the message that the named receive in the same Waitall needs.
 * Twin: waitall_wildcard_ok.
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
        MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Irecv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitall(2, h, s);
        assert(any == 2 && one == 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
