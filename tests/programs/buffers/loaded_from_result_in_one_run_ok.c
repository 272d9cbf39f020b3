/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of loaded_from_result_in_one_run: as loaded_from_result_ok.
 */
#define WRONG 0
#include "loaded_from_result.h"
