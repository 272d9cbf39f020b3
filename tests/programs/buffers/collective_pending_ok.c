/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of collective_pending: it has its own place.
 */
#define WRONG 0
#include "collective_pending.h"
