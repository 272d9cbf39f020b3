/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --skip log_*
 *   interleavings: 2
 * Two rounds, in which one function takes the messages, and is left out.
 */
#include "two_rounds.h"
