/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The correct twin of made_alike_*: one order of the pairs in an info is as good as another, and so is any value for
 * true.
 */
#define WRONG nothing
#include "made_alike.h"
