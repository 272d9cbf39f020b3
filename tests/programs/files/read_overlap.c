/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * A file is read into memory into which a message is received. Twin: read_overlap_ok.
 */
#define NAME "read_overlap.tmp"
#define WRONG 1
#include "read_overlap.h"
