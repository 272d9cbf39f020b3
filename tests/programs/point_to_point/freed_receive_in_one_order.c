/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   notes: request/freed
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: freed_receive.h:17
 * Only where rank 2 comes first is a pending receive freed: that is legal, but the program cannot know when the message
 * is there. Twin: freed_receive_in_one_order_ok.
 */
#define WRONG 1
#include "freed_receive.h"
