/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * As own_put, and right.
 */
#define WRONG 0
#include "own_put.h"
