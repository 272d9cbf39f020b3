/* dampi-run -n 2; mpicc.mpich -fsanitize=address */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int* values = calloc(2, sizeof(int));
#ifndef MENDED
    values[2 + rank] = 1;
#else
    values[rank] = 1;
#endif
    MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD);
    free(values);
    MPI_Finalize();
    return 0;
}
