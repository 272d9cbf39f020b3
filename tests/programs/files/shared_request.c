/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * A request with a shared file pointer, which is not followed, has the handle of one that is used up.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_File file;
    MPI_Request request;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "shared_request.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_iwrite_all(file, &rank, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_iwrite_shared(file, &rank, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
