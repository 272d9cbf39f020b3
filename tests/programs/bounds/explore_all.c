/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --explore comm:log --explore main
 *   interleavings: 4
 * Two rounds, of which both are to be explored.
 */
#include "two_rounds.h"
