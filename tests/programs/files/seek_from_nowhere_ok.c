/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * The twin of seek_from_nowhere.
 */
#define FROM MPI_SEEK_SET
#include "seek_from_nowhere.h"
