/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    double* values;
    MPI_Init(&argc, &argv);
    MPI_Alloc_mem(100 * sizeof(double), MPI_INFO_NULL, &values);
    values[0] = 1;
#ifdef MENDED
    MPI_Free_mem(values);
#endif
    MPI_Finalize();
    return 0;
}
