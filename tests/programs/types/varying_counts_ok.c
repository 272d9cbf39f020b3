/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * Twin of the programs that begin with varying_counts: all describe the same.
 */
#define WRONG 0
#include "varying_counts.h"
