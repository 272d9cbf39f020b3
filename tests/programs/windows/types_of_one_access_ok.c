/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Twin of types_of_one_access: they are the same.
 */
#define WRONG 0
#include "types_of_one_access.h"
