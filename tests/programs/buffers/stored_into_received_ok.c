/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_into_received: it is set afterwards, and so is the one behind those that are received.
 */
#define WRONG 0
#include "stored_into_received.h"
