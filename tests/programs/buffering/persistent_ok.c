/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 3 (one with each mode)
 *   options: --buffering all
 * The correct twin of persistent, small and large, and as persistent sends to the rank itself.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static int out[50000], in[50000];
    int rank;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int count = 1; count <= 50000; count += 49999) {
        for (int peer = 0; peer < 2; peer++) {
            MPI_Send_init(out, count, MPI_INT, peer == 0 ? rank : 1 - rank, 0, MPI_COMM_WORLD, &request);
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < count; i++) out[i] = rank + round + i;
                MPI_Start(&request);
                MPI_Recv(in, count, MPI_INT, peer == 0 ? rank : 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                for (int i = 0; i < count; i++) assert(in[i] == (peer == 0 ? rank : 1 - rank) + round + i);
            }
            MPI_Request_free(&request);
        }
    }
    MPI_Finalize();
    return 0;
}
