/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0+1} {0#0@1<-2}
 * Twin of testall_beside_iprobe.
 */
#define WRONG 0
#include "testall_beside_iprobe.h"
