/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file, incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * One is ended that was not begun. Twin: split_ok.
 */
#define NAME "split_no_begin.tmp"
#define WRONG no_begin
#include "split.h"
