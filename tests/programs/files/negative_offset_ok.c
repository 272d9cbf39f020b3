/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 */
#include "negative_offset.h"

int main(void) {
    begin();
    MPI_File_write_at(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 4, MPI_SEEK_SET);
    MPI_File_seek(file, -4, MPI_SEEK_CUR);
    end();
    return 0;
}
