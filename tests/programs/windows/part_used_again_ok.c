/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 * As part_used_again, and the first two are there: that one of them is under way again says nothing of the other.
 */
#define WRONG 0
#include "part_used_again.h"
