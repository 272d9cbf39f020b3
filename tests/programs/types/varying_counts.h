/* Collectives with one count for each rank, some of them zero. With WRONG set rank 1 describes its data as other
 * numbers, in the collective of that number. */
#include <mpi.h>
#include <stddef.h>

enum { gatherv = 1, scatterv, allgatherv, alltoallv };

int main(void) {
    int rank, size, a[16] = {0}, b[16] = {0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int counts[3] = {0, 2, 1}, places[3] = {0, 0, 2};
    const MPI_Datatype other = rank == 1 ? MPI_FLOAT : MPI_INT;
#define TYPE(collective) (WRONG == (collective) ? other : MPI_INT)
    MPI_Gatherv(a, counts[rank], TYPE(gatherv), b, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(a, counts, places, MPI_INT, b, counts[rank], TYPE(scatterv), 0, MPI_COMM_WORLD);
    MPI_Allgatherv(a, counts[rank], TYPE(allgatherv), b, counts, places, MPI_INT, MPI_COMM_WORLD);
    const int all[3] = {1, 1, 1}, each[3] = {0, 1, 2};
    MPI_Alltoallv(a, all, each, TYPE(alltoallv), b, all, each, MPI_INT, MPI_COMM_WORLD);

    /* Whoever sends nothing may say so of anything, and pairs of ranks may have their own types. */
    MPI_Gatherv(a, counts[rank], rank == 0 ? MPI_FLOAT : MPI_INT, b, counts, places, MPI_INT, 1, MPI_COMM_WORLD);
    int to[3] = {0, 0, 0}, from[3] = {0, 0, 0};
    to[(rank + 1) % size] = from[(rank + size - 1) % size] = 1;
    MPI_Alltoallv(a, to, each, rank == 0 ? MPI_FLOAT : MPI_INT, b, from, each, rank == 1 ? MPI_FLOAT : MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
