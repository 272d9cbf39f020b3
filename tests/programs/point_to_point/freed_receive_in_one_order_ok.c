/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Twin of freed_receive_in_one_order: the receive is waited for.
 */
#define WRONG 0
#include "freed_receive.h"
