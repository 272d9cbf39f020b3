/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of persistent: it does so when the persistent one is inactive.
 */
#define WRONG 0
#include "persistent.h"
