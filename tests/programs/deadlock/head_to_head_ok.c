/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.5 put right: the receive is posted before anyone waits, so that the size no longer matters.
 * Twin: head_to_head.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    const int count = 4000000;
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* out = malloc(count * sizeof *out);
    int* in = malloc(count * sizeof *in);
    for (int i = 0; i < count; i++) out[i] = rank * count + i;
    if (rank < 2) {
        const int other = 1 - rank;
        MPI_Request h[2];
        MPI_Status s[2];
        MPI_Irecv(in, count, MPI_INT, other, 0, MPI_COMM_WORLD, &h[0]);
        MPI_Isend(out, count, MPI_INT, other, 0, MPI_COMM_WORLD, &h[1]);
        MPI_Waitall(2, h, s);
        for (int i = 0; i < count; i++) assert(in[i] == other * count + i);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
