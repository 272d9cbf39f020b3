/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value, incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   where: view_of_no_type.c:@
 * Errors on files come back to the program, which goes on. Twin: view_differs_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_File_open(MPI_COMM_WORLD, "view_of_no_type.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    const int result = MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL); /*@*/
    assert(result != MPI_SUCCESS);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
