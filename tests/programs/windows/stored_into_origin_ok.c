/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * Twin of stored_into_put and stored_into_got: they are set behind the fence.
 */
#define WRONG 0
#include "stored_into_origin.h"
