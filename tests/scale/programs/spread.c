/* Gathers blocks that lie 1,200,000,000 bytes apart, as ints say it that have overflowed, into memory of which little
 * is touched; then scatters them from there, and gathers them in all ranks. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PARTS = 3, LENGTH = 10 };
static const size_t stride = 1200000000;

static void check(const char* what, const char* block, int from) {
    for (int i = 0; i < LENGTH; ++i) {
        if (block[i] != (char)(from + 1)) {
            fprintf(stderr, "%s: wrong\n", what);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

int main(int argc, char** argv) {
    int rank, counts[PARTS], displacements[PARTS];
    char mine[LENGTH], back[LENGTH];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* all = mmap(NULL, PARTS * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; i < PARTS; ++i) {
        counts[i] = LENGTH;
        displacements[i] = (int)((unsigned)i * (unsigned)stride);
    }
    memset(mine, rank + 1, LENGTH);
    MPI_Gatherv(mine, LENGTH, MPI_CHAR, all, counts, displacements, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < PARTS; ++i) check("MPI_Gatherv", all + (size_t)i * stride, i);
    MPI_Iscatterv(all, counts, displacements, MPI_CHAR, back, LENGTH, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check("MPI_Iscatterv", back, rank);
    MPI_Allgatherv(mine, LENGTH, MPI_CHAR, all, counts, displacements, MPI_CHAR, MPI_COMM_WORLD);
    for (int i = 0; i < PARTS; ++i) check("MPI_Allgatherv", all + (size_t)i * stride, i);
    if (rank == 0) puts("all is right");
    MPI_Finalize();
    return 0;
}
