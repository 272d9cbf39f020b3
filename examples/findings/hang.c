/* dampi-run -n 1 --hang-limit 2 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
#ifndef MENDED
    volatile int done = 0;
#else
    volatile int done = 1;
#endif
    while (!done) {}
    MPI_Finalize();
    return 0;
}
