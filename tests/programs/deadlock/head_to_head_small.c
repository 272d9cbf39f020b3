/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.5 with messages that MPI buffers: unsafe by the standard, but it ends. Twins: head_to_head,
 * head_to_head_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    const int count = 16;
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* out = malloc(count * sizeof *out);
    int* in = malloc(count * sizeof *in);
    for (int i = 0; i < count; i++) out[i] = rank * count + i;
    if (rank < 2) {
        const int other = 1 - rank;
        MPI_Request h;
        MPI_Isend(out, count, MPI_INT, other, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        MPI_Irecv(in, count, MPI_INT, other, 0, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) assert(in[i] == other * count + i);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
