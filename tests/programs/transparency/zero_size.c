/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Messages without content are messages: they match, have a source and a tag, and a count of 0.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Status status;
    if (rank == 0) {
        int sum = 0, count = -1;
        for (int i = 0; i < 2; i++) {
            int untouched = 77;
            MPI_Recv(i ? &untouched : NULL, i, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            assert(count == 0 && untouched == 77 && status.MPI_TAG == 20 + status.MPI_SOURCE);
            sum += status.MPI_SOURCE;
        }
        assert(sum == 3);
    } else {
        MPI_Send(NULL, 0, MPI_INT, 0, 20 + rank, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
