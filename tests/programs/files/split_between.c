/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * A collective write comes between the two calls of a split one. Twin: split_ok.
 */
#define NAME "split_between.tmp"
#define WRONG between
#include "split.h"
