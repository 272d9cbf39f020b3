/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of send_of_received: the receive is known to be complete.
 */
#define WRONG 0
#include "send_of_received.h"
