/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Both poll. Twin: barrier_beside_polled.
 */
#define WRONG 0
#include "barrier_beside_polled.h"
