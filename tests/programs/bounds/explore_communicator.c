/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --explore log --skip nothing
 *   interleavings: 2
 * Two rounds, of which only those on a communicator of this name are to be explored.
 */
#include "two_rounds.h"
