/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 * As stored_into_accumulated, and right.
 */
#define WRONG 0
#include "stored_into_accumulated.h"
