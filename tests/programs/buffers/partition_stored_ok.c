/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 * Each partition is the program's until it is ready, and when the round is over. Twin of partition_stored.
 */
#define WRONG 0
#include "partition_stored.h"
