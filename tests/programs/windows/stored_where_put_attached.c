/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: stored_where_put_attached.h:15
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank stores in attached memory where another one puts between the same fences.
 */
#define WRONG 1
#include "stored_where_put_attached.h"
