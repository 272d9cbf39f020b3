/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * Twin of read_overlap: the message is received beside it.
 */
#define NAME "read_overlap_ok.tmp"
#define WRONG 0
#include "read_overlap.h"
