/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    float values[4] = {0};
    if (rank == 0) {
        MPI_Bcast(values, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    } else {
#ifndef MENDED
        MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
#else
        MPI_Bcast(values, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
