/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * It is ended as one of another kind. Twin: split_ok.
 */
#define NAME "split_other_end.tmp"
#define WRONG other_end
#include "split.h"
