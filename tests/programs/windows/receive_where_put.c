/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A message is received into a window where another rank puts between the same fences. Twin: receive_where_put_ok.
 */
#define WRONG 1
#include "receive_where_put.h"
