/* DAMPI-TEST
 *   np: 3
 *   expect: sanitizer/thread
 *   interleavings: 1
 *   central: refused MPI_Accumulate
 *   where: heard_window.h:33
 * Rank 1 looks at what rank 0 puts into its memory, and stores there, though messages go to and fro between the ranks.
 * Twin: heard_window_ok.
 */
#define WRONG 1
#include "heard_window.h"
