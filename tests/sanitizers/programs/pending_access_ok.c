/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   central: refused MPI_Get
 * It is changed behind the fence. Twin: pending_access.
 */
#define WRONG 0
#include "pending_access.h"
