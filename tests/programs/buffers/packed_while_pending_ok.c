/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of packed_while_received and unpacked_while_sent.
 */
#define WRONG 0
#include "packed_while_pending.h"
