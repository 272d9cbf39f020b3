/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of loaded_from_stack_in_one_run: as loaded_from_stack_ok.
 */
#define WRONG 0
#include "loaded_from_stack.h"
