/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 *   where: open_differs.c:@
 * The ranks open files of different names together. Twin: view_differs_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    int rank;
    char name[32];
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "open_differs.%d.tmp", rank);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, /*@*/
                  MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
