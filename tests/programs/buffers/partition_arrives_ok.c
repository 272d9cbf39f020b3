/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Parrived
 *   options: --check-buffers
 * The twin of partition_arrives: each is read when it has arrived, or all are.
 */
#define WRONG 0
#include "partition_arrives.h"
