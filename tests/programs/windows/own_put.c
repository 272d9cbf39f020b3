/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: own_put.h:9
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank loads what it has put into its own window before the fence.
 */
#define WRONG 1
#include "own_put.h"
