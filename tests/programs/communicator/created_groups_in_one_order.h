#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, first = 0, value = 0;
    MPI_Group world, own;
    MPI_Comm made;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        first = status.MPI_SOURCE;
        MPI_Recv(&value, 1, MPI_INT, 3 - first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (!WRONG) MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int ranks[2] = {0, 1};
    if (first == 2) ranks[1] = 2;
    MPI_Group_incl(world, 2, ranks, &own);
    MPI_Comm_create(MPI_COMM_WORLD, own, &made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Group_free(&own);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
