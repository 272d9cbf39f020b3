/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int* memory;
    MPI_Win window;
    MPI_Alloc_mem(sizeof(int), MPI_INFO_NULL, &memory);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, memory, sizeof(int));
    MPI_Win_detach(window, memory);
#ifndef MENDED
    MPI_Win_detach(window, memory);
#endif
    MPI_Win_free(&window);
    MPI_Free_mem(memory);
    MPI_Finalize();
    return 0;
}
