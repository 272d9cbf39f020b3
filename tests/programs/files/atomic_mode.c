/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * In atomic mode accesses to the same place may overlap, and have some order that is left to chance.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "atomic_mode.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_atomicity(file, 1);
    MPI_File_write_at(file, 0, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
