/* How much there is of each rank comes with the messages; the first of them doubles what follows, if it is that of rank
 * LARGE. Then all of it is gathered. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, count = 1 << 28, first = 0, all = 0;
    int counts[3], displacements[3];
    MPI_Datatype empty;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    if (rank != 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        int from;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (first == LARGE) count = 1 << 30;
    for (int i = 0; i < 3; ++i) {
        counts[i] = count;
        displacements[i] = (int)((unsigned)i * (unsigned)count);
    }
    MPI_Allgatherv(&rank, count, empty, &all, counts, displacements, empty, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
    MPI_Finalize();
    return 0;
}
