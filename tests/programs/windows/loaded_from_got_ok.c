/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 * As loaded_from_got, and right.
 */
#define WRONG 0
#include "loaded_from_got.h"
