/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of receives: the buffers only touch, and one receives nothing.
 */
#define WRONG 0
#include "receives.h"
