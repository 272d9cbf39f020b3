/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value
 *   central: refused MPI_File_close
 *   findings: 1
 *   interleavings: 1
 *   where: negative_offset.c:@
 * A place before the file's beginning. Twin: negative_offset_ok.
 */
#include "negative_offset.h"

int main(void) {
    begin();
    MPI_File_write_at(file, -4 * (rank + 1), &value, 1, MPI_INT, MPI_STATUS_IGNORE); /*@*/
    end();
    return 0;
}
