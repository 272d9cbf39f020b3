/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   options: --buffering native
 * Twin of message_one_order: each receive has a tag of its own.
 */
#include "message_one_order.h"

int main(void) { return one_order(1, 2); }
