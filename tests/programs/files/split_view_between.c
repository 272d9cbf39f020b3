/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * The view is set before it has ended. Twin: split_ok.
 */
#define NAME "split_view_between.tmp"
#define WRONG view_between
#include "split.h"
