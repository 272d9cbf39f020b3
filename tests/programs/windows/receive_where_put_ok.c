/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Twin of receive_where_put: it is received beside it.
 */
#define WRONG 0
#include "receive_where_put.h"
