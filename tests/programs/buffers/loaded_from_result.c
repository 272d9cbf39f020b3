/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: loaded_from_result.h:15
 * The result is used before it is there. Twin: loaded_from_result_ok.
 */
#define WRONG 1
#include "loaded_from_result.h"
