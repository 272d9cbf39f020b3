/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * As stored_while_exposed, and right.
 */
#define WRONG 0
#include "stored_while_exposed.h"
