/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int left, right;
#ifndef MENDED
    MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &left, &right);
#else
    int size, periodic = 1;
    MPI_Comm ring;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    MPI_Comm_free(&ring);
#endif
    MPI_Finalize();
    return 0;
}
