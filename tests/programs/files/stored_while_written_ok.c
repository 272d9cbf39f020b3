/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * Twin of stored_while_written: it is changed afterwards.
 */
#define NAME "stored_while_written_ok.tmp"
#define WRONG 0
#include "stored_while_written.h"
