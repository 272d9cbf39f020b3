/* dampi-run -n 2; mpicc.mpich -fsanitize=undefined */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef MENDED
    int bits = 1 << (31 + rank);
#else
    unsigned bits = 1U << (30 + rank);
#endif
    MPI_Bcast(&bits, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
