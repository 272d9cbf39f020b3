/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of loop_without_end: it is set.
 */
#define WRONG 0
#include "loop_without_end.h"
