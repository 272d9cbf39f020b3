/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Put
 *   interleavings: 1
 * As stored_where_locked, and right.
 */
#define WRONG 0
#include "stored_where_locked.h"
