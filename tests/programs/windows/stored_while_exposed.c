/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: stored_while_exposed.h:10
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank stores into its window where another one puts meanwhile, between MPI_Win_post and MPI_Win_wait.
 * Twin: stored_while_exposed_ok.
 */
#define WRONG 1
#include "stored_while_exposed.h"
