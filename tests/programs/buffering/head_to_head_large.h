// Both ranks send a message that is far too large for MPICH's own buffers, then receive.
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
    MPI_Send(out, count, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(in, count, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) assert(in[i] == (1 - rank) * count + i);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
