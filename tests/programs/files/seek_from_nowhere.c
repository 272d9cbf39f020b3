/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   where: seek_from_nowhere.h:10
 * An error is fatal in a call on a file that is passed through to MPI. Twin: seek_from_nowhere_ok.
 */
#define FROM 77
#include "seek_from_nowhere.h"
