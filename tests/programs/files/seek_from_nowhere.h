#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_File_open(MPI_COMM_WORLD, "seek_from_nowhere.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_seek(file, 0, FROM);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
