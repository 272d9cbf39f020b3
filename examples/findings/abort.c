/* dampi-run -n 2 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifndef MENDED
    if (size != 3) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
#else
    if (size != 3 && rank == 0) {
        puts("made for three processes, goes on all the same");
    }
#endif
    MPI_Finalize();
    return 0;
}
