/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm even;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, 0, &even);
#ifndef MENDED
    MPI_Barrier(even); /* MPI_COMM_NULL in odd ranks */
    if (rank % 2 == 0) {
#else
    if (even != MPI_COMM_NULL) {
        MPI_Barrier(even);
#endif
        MPI_Comm_free(&even);
    }
    MPI_Finalize();
    return 0;
}
