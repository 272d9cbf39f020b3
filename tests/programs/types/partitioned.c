/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   central: refused MPI_Pready
 *   interleavings: 1
 *   outcomes: {}
 * Numbers sent in partitions arrive as numbers of another type. Twin: partitioned_ok.
 */
#define WRONG 1
#include "partitioned.h"
