/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Messages too large for any buffer, to wildcard receives: the senders wait until they are received, and the order
 * is still free.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int count = 1 << 20;
    int* data = malloc(count * sizeof *data);
    for (int i = 0; i < count; i++) data[i] = rank * 1000003 + i;
    if (rank == 0) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            MPI_Status status;
            MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            for (int k = 0; k < count; k++) assert(data[k] == status.MPI_SOURCE * 1000003 + k);
            sum += status.MPI_SOURCE;
        }
        assert(sum == 3);
    } else {
        MPI_Send(data, count, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(data);
    MPI_Finalize();
    return 0;
}
