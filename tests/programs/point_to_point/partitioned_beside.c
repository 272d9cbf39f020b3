/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * Rank 2's message is sent before the transfer is over: it is an alternative.
 */
#include "partitioned_causal.h"

int main(void) { return causal(0); }
