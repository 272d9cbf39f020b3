/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/overlap
 *   central: refused MPI_Rget
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first is what MPI_Rget fetches used before it is complete. Twin: requested_in_one_order_ok.
 */
#define WRONG 1
#include "requested_in_one_order.h"
