/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of exchange: MPI_Sendrecv_replace is for that, and with MPI_PROC_NULL half of the call means nothing.
 */
#define WRONG 0
#include "exchange.h"
