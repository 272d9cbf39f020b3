/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#ifdef MENDED
    MPI_Comm_free(&copy);
#endif
    MPI_Finalize();
    return 0;
}
