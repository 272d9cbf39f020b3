#include <mpi.h>
#include <stddef.h>

static MPI_File file;
static int rank, value = 1;

static void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "negative_offset.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
}

static void end(void) {
    MPI_File_close(&file);
    MPI_Finalize();
}
