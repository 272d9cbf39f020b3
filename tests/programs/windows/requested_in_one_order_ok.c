/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Rget
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * In both orders it is used when it is complete. Twin of requested_in_one_order.
 */
#define WRONG 0
#include "requested_in_one_order.h"
