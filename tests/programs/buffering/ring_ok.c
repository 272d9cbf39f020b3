/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 3 (one with each mode)
 *   options: --buffering all
 * Rings that are correct whatever is buffered: one rank receives first; or with Sendrecv and Sendrecv_replace, of any
 * size, whose halves do not wait for each other.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, size, in = -1;
    const int large = 100000;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    if (rank != 0) MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    assert(in == before);
    int* out = malloc(large * sizeof *out);
    int* got = malloc(large * sizeof *got);
    for (int count = 1; count <= large; count += large - 1) {
        for (int i = 0; i < count; i++) out[i] = rank + i;
        MPI_Sendrecv(out, count, MPI_INT, next, 1, got, count, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) assert(got[i] == before + i);
        MPI_Sendrecv_replace(out, count, MPI_INT, before, 2, next, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) assert(out[i] == next + i);
    }
    free(got);
    free(out);
    MPI_Finalize();
    return 0;
}
