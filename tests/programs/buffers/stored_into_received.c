/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 * One of the numbers is set before they have come. Twin: stored_into_received_ok.
 */
#define WRONG 1
#include "stored_into_received.h"
