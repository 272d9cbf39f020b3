/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 *   interleavings: 4
 *   outcomes: {0#0<-1 0#1<-1 0#2<-2 0#3<-2} {0#0<-1 0#1<-2 0#2<-1 0#3<-1} {0#0<-2 0#1<-1 0#2<-2 0#3<-2}
 *     {0#0<-2 0#1<-2 0#2<-1 0#3<-1}
 *   where: probe_any_recv_any.c:@
 * The standard's own bad example: after a wildcard probe, a wildcard receive need not get the message that the
 * probe saw. Twin: probe_any_recv_any_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int wrong = 0, got;
        for (int i = 0; i < 2; i++) {
            MPI_Status probed, received;
            MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &probed);
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &received);
            assert(got == received.MPI_SOURCE);
            wrong += probed.MPI_SOURCE != received.MPI_SOURCE;
        }
        assert(wrong == 0); /*@*/
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
