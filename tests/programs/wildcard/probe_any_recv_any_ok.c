/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The receive names the sender that the probe saw, so it gets the same message. Twin: probe_any_recv_any.
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
            MPI_Recv(&got, 1, MPI_INT, probed.MPI_SOURCE, 0, MPI_COMM_WORLD, &received);
            assert(got == received.MPI_SOURCE);
            wrong += probed.MPI_SOURCE != received.MPI_SOURCE;
        }
        assert(wrong == 0);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
