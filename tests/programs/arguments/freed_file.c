/* DAMPI-TEST
 *   np: 1
 *   expect: argument/file
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 *   where: freed_file_ok.c:25
 * A copy of a file's handle is used after the file was closed: MPICH reads memory that it has freed.
 */
#define USES_LATE 1
#include "freed_file_ok.c"
