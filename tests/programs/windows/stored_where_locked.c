/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: stored_where_locked.h:10
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank stores into its window, without a lock, where another one puts meanwhile under one.
 * Twin: stored_where_locked_ok.
 */
#define WRONG 1
#include "stored_where_locked.h"
