/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
#ifndef MENDED
    MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD); /* of two processes */
#else
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
