#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, values[4] = {0}, sent = 3;
    MPI_File file;
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 8 * rank, values, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Irecv(&values[WRONG ? 1 : 2], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_File_iread_at(file, 8 * rank, values, 2, MPI_INT, &requests[1]);
    MPI_Send(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
