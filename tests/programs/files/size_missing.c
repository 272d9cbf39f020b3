/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 *   where: size_missing.c:@
 * Rank 2 waits for a message that rank 0 sends after setting the size of the file, for which it needs rank 2. Twin:
 * size_missing_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 0;
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "size_missing.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    if (rank == 2) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_File_set_size(file, 100); /*@*/
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
