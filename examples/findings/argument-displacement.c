/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
#ifndef MENDED
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window); /* there is one number, that of displacement 0 */
#else
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
#endif
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
