/* DAMPI-TEST
 *   np: 2
 *   expect: sanitizer/thread
 *   interleavings: 1
 *   central: refused MPI_Put
 *   where: own_window.h:28
 * Rank 1 looks at and changes what rank 0 puts into its memory, between fences, while it is exposed, and without a
 * lock. Twin: own_window_ok.
 */
#define WRONG 1
#include "own_window.h"
