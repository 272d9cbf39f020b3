/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * Twin of memory_in_one_order: all of it is freed.
 */
#define WRONG 0
#include "memory.h"
