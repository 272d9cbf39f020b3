/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   interleavings: 1
 *   central: refused MPI_Accumulate
 * Order that clocks do not see: ranks read through the window that others have come so far, and go on, or say so to
 * others. No conflict may be reported. Twin: told_by_memory.
 */
#define WRONG 0
#include "told_by_memory.h"
