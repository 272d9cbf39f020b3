/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int size, dims[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifndef MENDED
    dims[0] = 3; /* does not divide 2 */
#else
    dims[0] = 2;
#endif
    MPI_Dims_create(size, 2, dims);
    MPI_Finalize();
    return 0;
}
