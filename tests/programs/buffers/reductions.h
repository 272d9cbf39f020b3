/* Reductions, with a result beside what is sent, in its place, or across it. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[8] = {0};
#if WRONG
    MPI_Reduce_scatter_block(numbers, numbers + 5, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
    int size;
    int counts[3] = {1, 2, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(numbers, numbers + 4, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, numbers, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(rank == 1 ? MPI_IN_PLACE : (void*)numbers, numbers + rank, 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, numbers, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(numbers, numbers + 4, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, numbers, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, numbers, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(numbers, numbers + (rank == 0 ? 1 : 4), 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(numbers, 8, MPI_INT, 2, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
