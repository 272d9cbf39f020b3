/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum;
    if (rank == 0) {
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else {
#ifndef MENDED
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
#else
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
