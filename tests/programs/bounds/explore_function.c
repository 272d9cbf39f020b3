/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --explore function:log_*
 *   interleavings: 2
 * Two rounds, in which only one function is to be explored.
 */
#include "two_rounds.h"
