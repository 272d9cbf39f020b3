/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/overlap
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first is the second received into memory into which another receive is pending. Twin:
 * one_order_ok.
 */
#define WRONG 1
#include "one_order.h"
