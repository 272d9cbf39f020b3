/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * MPI_Sendrecv receives into a part of what it sends. Twin: exchange_ok.
 */
#define WRONG 1
#include "exchange.h"
