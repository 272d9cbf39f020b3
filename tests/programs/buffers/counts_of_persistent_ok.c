/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Twin of counts_of_persistent: they are changed when it is freed; what it sends may change between its starts.
 */
#define WRONG 0
#include "counts_of_persistent.h"
