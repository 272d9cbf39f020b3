/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_into_result: it is set before the collective begins.
 */
#define WRONG 0
#include "stored_into_result.h"
