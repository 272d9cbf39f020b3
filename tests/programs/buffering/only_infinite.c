/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   options: --buffering infinite
 * See only_infinite.h: a deadlock only if large messages are buffered. Twins: only_infinite_native, only_infinite_zero.
 */
#define COUNT 50000
#include "only_infinite.h"
