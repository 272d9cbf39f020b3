/* The time of a barrier of more ranks than there are cores, where each may take a tenth of a second: few of them. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size;
    long count = 2;
    double seconds;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (;; count *= 2) {
        const double begin = MPI_Wtime();
        for (long i = 0; i < count; i++) MPI_Barrier(MPI_COMM_WORLD);
        seconds = MPI_Wtime() - begin;
        MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (seconds > 0.2) break;
    }
    if (rank == 0) printf("barrier/%d-ranks %.3f\n", size, seconds / (double)count * 1e6);
    MPI_Finalize();
    return 0;
}
