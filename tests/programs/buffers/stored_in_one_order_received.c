/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/modified
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first is the answer set before it has come. Twin: stored_in_one_order_received_ok.
 */
#define WRONG 1
#include "stored_in_one_order_received.h"
