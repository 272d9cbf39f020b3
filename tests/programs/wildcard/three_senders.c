/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 6
 *   outcomes: {0#0<-1 0#1<-2 0#2<-3} {0#0<-1 0#1<-3 0#2<-2} {0#0<-2 0#1<-1 0#2<-3} {0#0<-2 0#1<-3 0#2<-1}
 *     {0#0<-3 0#1<-1 0#2<-2} {0#0<-3 0#1<-2 0#2<-1}
 * Three messages, three wildcards: 3! orders.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int seen = 0;
        for (int i = 0; i < 3; i++) {
            int got = 0;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            seen |= 1 << got;
        }
        assert(seen == (2 | 4 | 8));
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
