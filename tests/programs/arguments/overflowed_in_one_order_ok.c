/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 * Twin of overflowed_in_one_order: there never is.
 */
#define LARGE 3
#include "overflowed_in_one_order.h"
