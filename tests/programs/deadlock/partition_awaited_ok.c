/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 * Twin of partition_awaited: all are.
 */
#define WRONG 0
#define POLLS 0
#include "partition_not_ready.h"
