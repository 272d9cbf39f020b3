/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Parrived
 *   interleavings: 1
 * Twin of partition_polled: all are.
 */
#define WRONG 0
#define POLLS 1
#include "partition_not_ready.h"
