/* DAMPI-TEST
 *   np: 3
 *   expect: type/collective
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Only where rank 2 comes first does rank 0 broadcast other numbers than the others expect. Twin:
 * collective_one_order_ok.
 */
#include "collective_one_order.h"
