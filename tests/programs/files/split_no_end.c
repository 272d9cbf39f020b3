/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file, incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * The next one is begun, and it has not been ended. Twin: split_ok.
 */
#define NAME "split_no_end.tmp"
#define WRONG no_end
#include "split.h"
