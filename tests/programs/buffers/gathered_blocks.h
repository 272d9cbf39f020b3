/* The root gathers blocks of different lengths. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[9] = {0};
    int own[3] = {rank, rank, rank};
    int counts[3] = {3, 3, 2 * WRONG};
    int places[3] = {6, 3, WRONG ? 2 : 1000000};
    MPI_Gatherv(own, counts[rank], MPI_INT, numbers, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    if (!WRONG) {
        /* what is not significant elsewhere may be anything */
        MPI_Gather(own, 3, MPI_INT, rank == 1 ? numbers : own, 3, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Scatter(rank == 1 ? numbers : own, 3, MPI_INT, own, 3, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Gather(rank == 2 ? MPI_IN_PLACE : (void*)own, 3, MPI_INT, numbers, 3, MPI_INT, 2, MPI_COMM_WORLD);
        MPI_Scatter(numbers, 3, MPI_INT, rank == 2 ? MPI_IN_PLACE : (void*)own, 3, MPI_INT, 2, MPI_COMM_WORLD);
        /* a block may be sent to several */
        int same[3] = {0, 0, 0};
        int all[3] = {3, 3, 3};
        MPI_Scatterv(numbers, all, same, MPI_INT, own, 3, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
