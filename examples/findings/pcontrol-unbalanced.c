/* dampi-run -n 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(1);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef MENDED
    MPI_Pcontrol(0);
#endif
    MPI_Finalize();
    return 0;
}
