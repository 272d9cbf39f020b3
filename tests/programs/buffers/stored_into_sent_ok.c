/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_into_sent: it is counted up afterwards.
 */
#define WRONG 0
#include "stored_into_sent.h"
