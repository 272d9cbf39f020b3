/* DAMPI-TEST
 *   np: 2
 *   expect: argument/file
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 closes the file and has never waited for one of its own writes. Twin: local_pending_ok.
 */
#define NAME "local_pending.tmp"
#define WRONG 1
#include "local_pending.h"
