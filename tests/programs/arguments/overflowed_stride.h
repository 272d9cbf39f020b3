/* Each rank gets a block in an array of rows that lie STRIDE apart; one with an odd number leaves its block empty. */
#include <mpi.h>

enum { PARTS = 4 };

int main(int argc, char** argv) {
    int rank, mine = 0, all = 0;
    int counts[PARTS], displacements[PARTS];
    MPI_Datatype empty;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    for (int i = 0; i < PARTS; ++i) {
        counts[i] = i % 2 == 0 ? 10 : 0;
        displacements[i] = (int)((unsigned)i * (unsigned)STRIDE);
    }
    MPI_Scatterv(&all, counts, displacements, empty, &mine, counts[rank], empty, 0, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
    MPI_Finalize();
    return 0;
}
