/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * What is written to a file is changed before the program knows that it is written. Twin: stored_while_written_ok.
 */
#define NAME "stored_while_written.tmp"
#define WRONG 1
#include "stored_while_written.h"
