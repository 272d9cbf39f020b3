/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * A broadcast sends from a window what another rank puts there under a lock. Twin: broadcast_of_what_is_put_ok.
 */
#define WRONG 1
#include "broadcast_of_what_is_put.h"
