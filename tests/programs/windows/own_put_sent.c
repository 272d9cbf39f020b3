/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: own_put_sent.h:8
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank sends what it has put into its own window before that is flushed.
 */
#define WRONG 1
#include "own_put_sent.h"
