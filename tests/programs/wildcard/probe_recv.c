/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The size of a message is found out with MPI_Probe; the receive then names the source that the probe saw.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[4] = {rank, rank, rank, rank};
    if (rank == 0) {
        int seen[3] = {0, 0, 0};
        for (int i = 0; i < 2; i++) {
            int count;
            MPI_Status status;
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            assert(count == status.MPI_SOURCE && status.MPI_TAG == 10 * status.MPI_SOURCE);
            MPI_Recv(data, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            assert(data[0] == status.MPI_SOURCE && data[count - 1] == status.MPI_SOURCE);
            seen[status.MPI_SOURCE]++;
        }
        assert(seen[1] == 1 && seen[2] == 1);
    } else {
        MPI_Send(data, rank, MPI_INT, 0, 10 * rank, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
