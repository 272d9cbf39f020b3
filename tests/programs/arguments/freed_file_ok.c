/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * The twin of freed_file: the copy is used while the file is open.
 */
#include <assert.h>
#include <mpi.h>

#ifndef USES_LATE
#define USES_LATE 0
#endif

int main(int argc, char** argv) {
    MPI_File file, copy;
    MPI_Offset size;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    copy = file;
    if (USES_LATE) {
        MPI_File_close(&file);
    }
    const int code = MPI_File_get_size(copy, &size);
    assert((code != MPI_SUCCESS) == USES_LATE);
    if (!USES_LATE) {
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
