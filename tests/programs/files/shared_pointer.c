/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * Both write where the file pointer that they share happens to be: who comes first is left to chance.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "shared_pointer.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
