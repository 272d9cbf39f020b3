/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   options: --buffering native
 * As only_infinite, but with messages so small that the library buffers them. Twin: only_infinite_zero.
 */
#define COUNT 1
#include "only_infinite.h"
