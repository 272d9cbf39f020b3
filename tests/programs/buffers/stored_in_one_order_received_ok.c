/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Twin of stored_in_one_order_received: it is set afterwards.
 */
#define WRONG 0
#include "stored_in_one_order_received.h"
