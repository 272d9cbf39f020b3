/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock, incomplete
 *   central: refused MPI_Parrived
 *   interleavings: 1
 * One partition is never made ready, and the receiver polls for it. Twin: partition_polled_ok.
 */
#define WRONG 1
#define POLLS 1
#include "partition_not_ready.h"
