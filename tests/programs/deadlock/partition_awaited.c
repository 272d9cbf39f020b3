/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   central: refused MPI_Pready
 *   interleavings: 1
 * One partition is never made ready, and the receiver waits. Twin: partition_awaited_ok.
 */
#define WRONG 1
#define POLLS 0
#include "partition_not_ready.h"
