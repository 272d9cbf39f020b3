/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Twin of broadcast_of_what_is_put: a barrier stands between.
 */
#define WRONG 0
#include "broadcast_of_what_is_put.h"
