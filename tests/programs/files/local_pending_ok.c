/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * Twin of local_pending: it waits for both.
 */
#define NAME "local_pending_ok.tmp"
#define WRONG 0
#include "local_pending.h"
