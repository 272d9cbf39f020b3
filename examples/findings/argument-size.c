/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    char memory[8];
    MPI_Win window;
#ifndef MENDED
    MPI_Win_create(memory, -8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#else
    MPI_Win_create(memory, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#endif
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
