/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1}
 *   options: --buffering zero
 * The twin of only_infinite_small: without buffers the first receive can only take rank 1's message.
 */
#define COUNT 1
#include "only_infinite.h"
