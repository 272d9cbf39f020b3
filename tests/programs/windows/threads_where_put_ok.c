/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of threads_where_put: they run when nobody accesses the window.
 */
#define WRONG 0
#include "threads_where_put.h"
