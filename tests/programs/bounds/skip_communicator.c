/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --skip comm:log
 *   interleavings: 2
 * Two rounds, on a communicator whose name is left out.
 */
#include "two_rounds.h"
