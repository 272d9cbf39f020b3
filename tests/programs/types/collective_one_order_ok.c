/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Twin of collective_one_order: it broadcasts numbers of one type, or their bytes.
 */
#define BYTES
#include "collective_one_order.h"
