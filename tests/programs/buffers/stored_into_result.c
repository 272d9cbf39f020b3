/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 * The sum is set before it is there. Twin: stored_into_result_ok.
 */
#define WRONG 1
#include "stored_into_result.h"
