/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 *   outcomes: {0#0<-1}
 * Rank 2's message is sent after the last partition came, which was ready after the receive: it is no alternative.
 */
#include "partitioned_causal.h"

int main(void) { return causal(1); }
