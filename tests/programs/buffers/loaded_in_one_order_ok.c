/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --check-buffers
 *   interleavings: 2
 * Twin of loaded_in_one_order: it never is.
 */
#define WRONG 0
#include "loaded_in_one_order.h"
