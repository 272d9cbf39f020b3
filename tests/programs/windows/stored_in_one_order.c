/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   options: --check-buffers
 *   central: refused MPI_Put
 *   where: stored_in_one_order.h:13
 *   interleavings: 2
 * A rank stores into its window where another one puts, if messages come in one order. Twin: stored_in_one_order_ok.
 */
#define WRONG 1
#include "stored_in_one_order.h"
