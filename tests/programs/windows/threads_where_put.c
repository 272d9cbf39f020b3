/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Threads load from a rank's window between the fences between which another one puts there, which nobody sees. Twin:
 * threads_where_put_ok.
 */
#define WRONG 1
#include "threads_where_put.h"
