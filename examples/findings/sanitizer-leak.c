/* dampi-run -n 2; mpicc.mpich -fsanitize=address */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int* values = calloc(100, sizeof(int));
    MPI_Bcast(values, 100, MPI_INT, 0, MPI_COMM_WORLD);
#ifdef MENDED
    free(values);
#endif
    values = NULL;
    MPI_Finalize();
    return 0;
}
