/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Fetch_and_op
 * As fetched_before_flush, but flushed before the barrier.
 */
#define WRONG 0
#include "fetched_before_flush.h"
