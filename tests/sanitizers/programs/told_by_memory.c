/* DAMPI-TEST
 *   np: 3
 *   expect: sanitizer/thread, incomplete
 *   interleavings: 1
 *   central: refused MPI_Accumulate
 *   where: told_by_memory.h:64
 * As its twin told_by_memory_ok, and then rank 1 looks at what rank 0 puts, which nothing orders.
 */
#define WRONG 1
#include "told_by_memory.h"
