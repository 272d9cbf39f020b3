/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * Twin of split_between and its kin: one split collective after the other, and an access of the rank's own between.
 */
#define NAME "split_ok.tmp"
#define WRONG right
#include "split.h"
