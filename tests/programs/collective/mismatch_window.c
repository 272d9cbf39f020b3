/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   central: refused MPI_File_open
 *   interleavings: 1
 *   outcomes: {}
 *   where: mismatch_window.c:@
 * Rank 1 opens a file where the others make a window. Twin: mismatch_window_ok.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Win win = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    else
        MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win); /*@*/
    MPI_Finalize();
    return 0;
}
