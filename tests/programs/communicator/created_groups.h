#include <mpi.h>
#include <stddef.h>

/* Ranks 0 and 2, ranks 1 and 3, and rank 4 alone without one. */
int main(void) {
    int rank;
    MPI_Group world, own;
    MPI_Comm made;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int ranks[2] = {rank % 2, rank % 2 + 2};
    if (WRONG && rank == WRONG) {
        ranks[0] = rank % 2 + 2;
        ranks[1] = rank % 2;
    }
    MPI_Group_incl(world, rank == 4 ? 0 : 2, ranks, &own);
    MPI_Comm_create(MPI_COMM_WORLD, own, &made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Group_free(&own);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
