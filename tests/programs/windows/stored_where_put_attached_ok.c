/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * As stored_where_put_attached, and right: it stores beside.
 */
#define WRONG 0
#include "stored_where_put_attached.h"
