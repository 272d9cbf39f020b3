/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: stored_where_put.h:8
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank stores into its window where another one puts between the same fences. Twin: stored_where_put_ok.
 */
#define WRONG 1
#include "stored_where_put.h"
