/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of loaded_from_stack: it is compared afterwards, while others beside it change.
 */
#define WRONG 0
#include "loaded_from_stack.h"
