/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    float value = 1, sum;
#ifndef MENDED
    MPI_Allreduce(&value, &sum, 1, MPI_FLOAT, MPI_LXOR, MPI_COMM_WORLD);
#else
    MPI_Allreduce(&value, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
