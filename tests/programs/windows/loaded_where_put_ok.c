/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * As loaded_where_put, and right.
 */
#define WRONG 0
#include "loaded_where_put.h"
