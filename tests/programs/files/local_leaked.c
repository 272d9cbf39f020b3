/* DAMPI-TEST
 *   np: 2
 *   expect: leak/request, leak/file
 *   central: refused MPI_File_iwrite_at
 *   interleavings: 1
 *   outcomes: {}
 * As local_pending, and the file is not closed, either.
 */
#define NAME "local_leaked.tmp"
#define WRONG 2
#include "local_pending.h"
