/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
#ifdef MENDED
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);
#endif
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
#ifdef MENDED
    MPI_Win_unlock(1 - rank, window);
#endif
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
