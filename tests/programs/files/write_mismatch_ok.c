/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * The correct twin of write_mismatch: rank 0 has a count of the other width, which is the same collective.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "write_mismatch_ok.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    else
        MPI_File_write_at_all_c(file, 0, &value, 0, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
