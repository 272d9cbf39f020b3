/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Twin of one_order: the second has its own place, whoever comes first.
 */
#define WRONG 0
#include "one_order.h"
