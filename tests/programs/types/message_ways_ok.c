/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   args: 0
 * Twin of message_ways: the types agree.
 */
#include "message_ways.h"
