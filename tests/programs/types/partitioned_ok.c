/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 *   outcomes: {}
 * Numbers sent in two partitions arrive in one. Fault: partitioned.
 */
#define WRONG 0
#include "partitioned.h"
