/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of loaded_from_result: it is used afterwards.
 */
#define WRONG 0
#include "loaded_from_result.h"
