#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[4] = {0};
    MPI_File file;
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, 16 * rank, values, 2, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, 16 * rank + 8, values + 2, 2, MPI_INT, &requests[1]);
    MPI_Waitall(WRONG && rank == 1 ? 1 : 2, WRONG && rank == 1 ? requests + 1 : requests, MPI_STATUSES_IGNORE);
    if (WRONG != 2) MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
