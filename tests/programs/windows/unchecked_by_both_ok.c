/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 * The twin of start_unchecked and post_unchecked.
 */
#define START MPI_MODE_NOCHECK
#define POST MPI_MODE_NOCHECK
#include "unchecked_by_one.h"
