/* DAMPI-TEST
 *   np: 3
 *   expect: type/message
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first do the types of its message and of the receive disagree: the bytes of rank 1 agree with
 * both receives. Twin: message_one_order_ok.
 */
#include "message_one_order.h"

int main(void) { return one_order(0, 0); }
