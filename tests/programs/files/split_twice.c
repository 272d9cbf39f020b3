/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file, incomplete
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * Two split collectives are begun. Twin: split_ok.
 */
#define NAME "split_twice.tmp"
#define WRONG twice
#include "split.h"
