/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: received_across_fences.h:10
 *   central: refused MPI_Put
 *   interleavings: 1
 * A receive that is pending since before the fence meets what is put.
 */
#define WRONG 1
#include "received_across_fences.h"
