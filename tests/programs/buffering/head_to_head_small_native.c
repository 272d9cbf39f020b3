/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * What head_to_head_small does, as the library does it, with the largest message that it buffers.
 */
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(void) {
    enum { size = 8191 };
    char out[size], in[size];
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(out, 'a' + rank, size);
    MPI_Send(out, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(in, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++) assert(in[i] == 'a' + 1 - rank);
    MPI_Finalize();
    return 0;
}
