/* dampi-run -n 1 */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_File file;
#ifndef MENDED
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
#else
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
#endif
    MPI_Finalize();
    return 0;
}
