/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * It is read when it is there. Twin: pending_load.
 */
#define WRONG 0
#include "pending_load.h"
