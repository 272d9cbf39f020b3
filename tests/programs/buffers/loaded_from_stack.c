/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: loaded_from_stack.h:15
 * It is compared before it has come. Twin: loaded_from_stack_ok.
 */
#define WRONG 1
#include "loaded_from_stack.h"
