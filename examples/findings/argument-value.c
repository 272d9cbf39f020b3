/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
#ifndef MENDED
    MPI_Comm_split(MPI_COMM_WORLD, rank - 1, 0, &part); /* -1 in rank 0 */
#else
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &part);
#endif
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
