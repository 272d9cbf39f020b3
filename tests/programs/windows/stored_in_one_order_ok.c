/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --check-buffers
 *   central: refused MPI_Put
 *   interleavings: 2
 * As stored_in_one_order, beside it.
 */
#define WRONG 0
#include "stored_in_one_order.h"
