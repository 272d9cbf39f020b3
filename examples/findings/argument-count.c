/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int values[4] = {0}, count = 3;
#ifndef MENDED
    MPI_Bcast(values, count - 4, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Bcast(values, 4 - count, MPI_INT, 0, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
