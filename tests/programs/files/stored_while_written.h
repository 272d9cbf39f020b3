#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[2] = {0};
    MPI_File file;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, 8 * rank, values, 2, MPI_INT, &request);
    if (WRONG) values[1] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    values[0] = 9;
    MPI_File_iwrite_at_all(file, 8 * rank, values, 2, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
