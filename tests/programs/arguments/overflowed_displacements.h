/* What there is of each rank is gathered, without gaps; of an empty datatype, so that it takes no memory. With NUMBERS
 * of 2^30 the third block begins beyond what an int can say. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, size, mine = 0, all = 0;
    int counts[3], displacements[3];
    unsigned sum = 0;
    MPI_Datatype empty;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    for (int i = 0; i < size; ++i) {
        counts[i] = NUMBERS;
        displacements[i] = (int)sum;
        sum += NUMBERS;
    }
    MPI_Gatherv(&mine, NUMBERS, empty, &all, counts, displacements, empty, 0, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
    MPI_Finalize();
    return 0;
}
