/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 *   where: write_mismatch.c:@
 * Rank 0 writes with another collective than the others. Twin: write_mismatch_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "write_mismatch.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 0)
        MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /*@*/
    else
        MPI_File_write_all(file, &value, 0, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
